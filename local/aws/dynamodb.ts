import * as http from "node:http";
import * as https from "node:https";
import { engineHeaders, targetPrefix } from "../database/dynamodb-call.ts";
import type { LogSink } from "../log.ts";
import { readBody } from "../read-body.ts";
import { localArn } from "../stack/arn.ts";
import { requiredPermissions } from "./dynamodb-permissions.ts";
import { type AwsService, awsError, parseObject, type ServiceResponse } from "./endpoint.ts";

/** The response headers that the SDK reads. */
const forwardedHeaders = ["content-type", "x-amzn-requestid", "x-amz-crc32"];

/** The operations with a member `ReturnConsumedCapacity`. */
const meteredOperations = new Set([
  ...["GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan"],
  ...["BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems"],
]);

/**
 * Forwards requests to the engine and meters the capacity that they consume.
 *
 * @param engineEndpoint the engine's URL
 * @param log receives failures to reach the engine
 */
export function createDynamodb(engineEndpoint: string, log: LogSink): AwsService {
  const engine = connect(engineEndpoint);
  return {
    targetPrefix,
    permissions: (operation, body) => requiredPermissions(operation, body, localArn("dynamodb", "table/")),
    async handle({ operation, text, body }) {
      const isMetered = meteredOperations.has(operation);
      try {
        const response = await engine.send(operation, isMetered ? withConsumedCapacity(text, body) : text);
        return isMetered ? { ...response, capacityUnits: consumedUnits(response.body) } : response;
      } catch (error) {
        log({ source: "dynamodb", text: `The engine does not respond: ${error}` });
        return awsError(500, "InternalServerError", "The local DynamoDB engine does not respond.");
      }
    },
    close: engine.close,
  };
}

/** Adds `ReturnConsumedCapacity` to the text of a request, which is cheaper than serializing the body again. */
function withConsumedCapacity(text: string, body: object): string {
  if ("ReturnConsumedCapacity" in body) return text;
  const separator = Object.keys(body).length === 0 ? "" : ",";
  return text.replace("{", `{"ReturnConsumedCapacity":"TOTAL"${separator}`);
}

interface ConsumedCapacity {
  readonly CapacityUnits?: number;
}

function consumedUnits(response: string): number {
  const { ConsumedCapacity: consumed = [] } = (parseObject(response) ?? {}) as {
    readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
  };
  return [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

function connect(endpoint: string) {
  const client = endpoint.startsWith("https:") ? https : http;
  const agent = new client.Agent({ keepAlive: true });

  async function send(operation: string, body: string): Promise<ServiceResponse> {
    const request = client.request(endpoint, {
      method: "POST",
      agent,
      headers: { ...engineHeaders(operation), "content-length": Buffer.byteLength(body) },
    });
    const response = await new Promise<http.IncomingMessage>((onResponse, onError) => {
      request.on("response", onResponse).on("error", onError).end(body);
    });
    const headers = Object.fromEntries(
      forwardedHeaders.flatMap((name) => {
        const value = response.headers[name];
        return typeof value === "string" ? [[name, value]] : [];
      }),
    );
    return { statusCode: response.statusCode ?? 500, headers, body: (await readBody(response)).toString() };
  }

  return { send, close: () => agent.destroy() };
}
