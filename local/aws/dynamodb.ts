import { parseJson } from "../../lib/parse-json.ts";
import { type EngineAddress, engineOptions, sendToEngine, targetPrefix } from "../database/dynamodb-call.ts";
import type { LogSink } from "../log.ts";
import { requiredPermissions } from "./dynamodb-permissions.ts";
import { type AwsService, awsError } from "./endpoint.ts";

const forwardedHeaders = ["content-type", "x-amzn-requestid"];

const meteredOperations = /Item|Query|Scan/;

/** Forwards requests to the engine and meters the capacity that they consume. */
export function createDynamodb(engine: EngineAddress, log: LogSink): AwsService {
  const options = engineOptions(engine);
  return {
    targetPrefix,
    permissions: requiredPermissions,
    async handle(operation, body, text) {
      const isMetered = meteredOperations.test(operation);
      try {
        const sent = isMetered ? withConsumedCapacity(text, body) : text;
        const { response, text: received } = await sendToEngine(options, operation, sent);
        return {
          statusCode: response.statusCode ?? 500,
          headers: Object.fromEntries(forwardedHeaders.map((name) => [name, String(response.headers[name])])),
          body: received,
          ...(isMetered && { capacityUnits: consumedUnits(received) }),
        };
      } catch (error) {
        log({ source: "dynamodb", text: `The engine does not respond: ${error}` });
        return awsError(500, "InternalServerError", "The local DynamoDB engine does not respond.");
      }
    },
    close: () => options.agent.destroy(),
  };
}

/** Adds `ReturnConsumedCapacity` to the text, which is cheaper than serializing the body again. */
function withConsumedCapacity(text: string, body: object): string {
  if ("ReturnConsumedCapacity" in body) return text;
  const separator = Object.keys(body).length === 0 ? "" : ",";
  return text.replace("{", `{"ReturnConsumedCapacity":"TOTAL"${separator}`);
}

function consumedUnits(response: string): number {
  type Consumed = { readonly CapacityUnits?: number };
  const { ConsumedCapacity = [] } = (parseJson(response) ?? {}) as {
    readonly ConsumedCapacity?: Consumed | Consumed[];
  };
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}
