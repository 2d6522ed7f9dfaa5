import { localRegion } from "../stack/resource-names.ts";

/** DynamoDB's answer to a request that it refused. */
export class DynamodbError extends Error {
  override readonly name = "DynamodbError";
  /** The error's name without its namespace, such as `ResourceInUseException`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The Authorization header for an engine. It must be there, and DynamoDB Local keeps a separate database for
 * each access key in it; the signature is not checked.
 */
export const engineAuthorization =
  `AWS4-HMAC-SHA256 Credential=local/20260101/${localRegion}/dynamodb/aws4_request, ` +
  "SignedHeaders=host, Signature=0";

/**
 * Sends one request to the engine, without the SDK: that takes longer to load than the engine to start.
 *
 * @param endpoint the engine's URL
 * @param operation such as `CreateTable`
 * @param body the request's members
 * @returns the answer's members
 * @throws {DynamodbError} when the engine refuses the request
 * @throws {TypeError} when nothing answers at the endpoint
 */
export async function callDynamodb(
  endpoint: string,
  operation: string,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "x-amz-date": "20260101T000000Z",
      authorization: engineAuthorization,
    },
    body: JSON.stringify(body),
  });
  const answer = JSON.parse((await response.text()) || "{}");
  if (response.ok) return answer;
  const code = String(answer.__type ?? response.status).replace(/^.*#/, "");
  throw new DynamodbError(code, String(answer.message ?? answer.Message ?? `status ${response.status}`));
}
