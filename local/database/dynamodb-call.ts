import * as http from "node:http";
import { urlToHttpOptions } from "node:url";
import { readBody } from "../read-body.ts";
import { localRegion } from "../stack/arn.ts";

export class DynamodbError extends Error {
  override readonly name = "DynamodbError";
  /** The error's type without its namespace, such as `ResourceInUseException`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export const targetPrefix = "DynamoDB_20120810.";

export const streamsPrefix = "DynamoDBStreams_20120810.";

/** The engine does not check the signature it needs. DynamoDB Local has a database for each access key. */
export function engineHeaders(operation: string): Record<string, string> {
  return {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": operation.includes(".") ? operation : targetPrefix + operation,
    "x-amz-date": "20260101T000000Z",
    authorization:
      `AWS4-HMAC-SHA256 Credential=local/20260101/${localRegion}/dynamodb/aws4_request, ` +
      "SignedHeaders=host, Signature=0",
  };
}

export interface EngineAddress {
  readonly endpoint: string;
}

/** The options of all requests. Made once: reading the URL takes a quarter of a request's time. */
export function engineOptions(engine: EngineAddress) {
  return {
    ...urlToHttpOptions(new URL(engine.endpoint)),
    method: "POST",
    agent: new http.Agent({ keepAlive: true }),
  };
}

export async function sendToEngine(
  options: ReturnType<typeof engineOptions>,
  operation: string,
  body: string,
  signal?: AbortSignal,
): Promise<{ readonly response: http.IncomingMessage; readonly text: string }> {
  const request = http.request({
    ...options,
    ...(signal && { signal }),
    headers: { ...engineHeaders(operation), "content-length": Buffer.byteLength(body) },
  });
  const response = await new Promise<http.IncomingMessage>((onResponse, onError) => {
    request.on("response", onResponse).on("error", onError).end(body);
  });
  return { response, text: (await readBody(response)).toString() };
}

/** The SDK would take longer to load than the engine to start. @throws {DynamodbError} if the engine refuses */
export async function callDynamodb(
  engine: EngineAddress,
  operation: string,
  body: object,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const options = engineOptions(engine);
  const sent = sendToEngine(options, operation, JSON.stringify(body), signal);
  const { response, text } = await sent.finally(() => options.agent.destroy());
  const members = JSON.parse(text || "{}");
  const { statusCode } = response;
  if (statusCode === 200) return members;
  const code = String(members.__type ?? statusCode).replace(/^.*#/, "");
  throw new DynamodbError(code, String(members.message ?? members.Message ?? `status ${statusCode}`));
}
