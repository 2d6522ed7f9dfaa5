import * as http from "node:http";
import * as https from "node:https";
import { text } from "node:stream/consumers";
import { engineAuthorization } from "../database/dynamodb-call.ts";
import type { LogSink } from "../log.ts";
import { localAccount, localRegion } from "../stack/resource-names.ts";
import type { Credentials } from "./credentials.ts";
import { requiredPermissions } from "./dynamodb-permissions.ts";
import { type AwsService, awsError, parseMembers, type ServiceResponse } from "./endpoint.ts";

/** What the SDK reads of the engine's headers. */
const passedHeaders = ["content-type", "x-amzn-requestid", "x-amz-crc32"];

const target = "DynamoDB_20120810.";
const tableArnPrefix = `arn:aws:dynamodb:${localRegion}:${localAccount}:table/`;

/** The operations that say what they consumed, if asked. */
const consumingOperations = new Set([
  ...["GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan"],
  ...["BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems"],
]);

/**
 * DynamoDB as the functions see it: the engine, which is also asked what each request consumes.
 *
 * @param engineEndpoint the engine's URL
 * @param log hears when the engine does not answer
 */
export function createDynamodb(engineEndpoint: string, log: LogSink): AwsService {
  const engine = connect(engineEndpoint);
  return {
    target,
    permissions: (operation, body) => requiredPermissions(operation, body, tableArnPrefix),
    async answer({ operation, text: sent, body, caller }) {
      const isCounted = consumingOperations.has(operation);
      const isAsked = "ReturnConsumedCapacity" in body;
      try {
        const answer = await engine.send(
          operation,
          isCounted && !isAsked ? askForCapacity(sent, body) : sent,
        );
        if (isCounted) countUnits(caller, answer.body);
        return answer;
      } catch (error) {
        log({ source: "dynamodb", text: `The engine does not answer: ${error}` });
        return awsError(500, "InternalServerError", "The local DynamoDB engine does not answer.");
      }
    },
    close: engine.close,
  };
}

/** The body with one more member, without writing all of it anew. */
function askForCapacity(sent: string, body: object): string {
  const separator = Object.keys(body).length === 0 ? "" : ",";
  return sent.replace("{", `{"ReturnConsumedCapacity":"TOTAL"${separator}`);
}

interface Consumed {
  readonly CapacityUnits?: number;
}

function countUnits(caller: Credentials, answer: string): void {
  const members = parseMembers(answer) as { readonly ConsumedCapacity?: Consumed | Consumed[] } | undefined;
  const consumed = [members?.ConsumedCapacity ?? []].flat();
  caller.addUnits(consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0));
}

function connect(endpoint: string) {
  const client = endpoint.startsWith("https:") ? https : http;
  const agent = new client.Agent({ keepAlive: true });

  async function send(operation: string, body: string): Promise<ServiceResponse> {
    const request = client.request(endpoint, {
      method: "POST",
      agent,
      headers: {
        "content-type": "application/x-amz-json-1.0",
        "content-length": Buffer.byteLength(body),
        "x-amz-target": target + operation,
        "x-amz-date": "20260101T000000Z",
        authorization: engineAuthorization,
      },
    });
    const response = await new Promise<http.IncomingMessage>((onResponse, onError) => {
      request.on("response", onResponse).on("error", onError).end(body);
    });
    const headers = Object.fromEntries(
      passedHeaders.flatMap((name) => {
        const value = response.headers[name];
        return typeof value === "string" ? [[name, value]] : [];
      }),
    );
    return { statusCode: response.statusCode ?? 500, headers, body: await text(response) };
  }

  return { send, close: () => agent.destroy() };
}
