import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { inject } from "vitest";
import type { TableDefinition } from "../../../functions/define-area.ts";
import { toRawItem } from "../../../lib/dynamodb/attribute-values.ts";
import { documentClient } from "../../../lib/dynamodb/client.ts";
import { callDynamodb, engineOptions, sendToEngine } from "../../../local/database/dynamodb-call.ts";
import { onlyOnce } from "../effort.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The engine that runs for the project's tests. */
    engines: readonly { readonly name: string; readonly endpoint: string }[];
  }
}

export const engines = inject("engines");

/** A test's cases on the default engine, and none on a second one: engines do not differ in simulated faults. */
export function onDefaultEngine<const Case>(cases: readonly Case[]): readonly Case[] {
  return inject("engine") === undefined ? onlyOnce(cases) : [];
}

/** The SDK configuration of an engine on loopback, which requires credentials and a region but does not check them. */
export function connection(endpoint: string) {
  return { endpoint, region: "us-east-1", credentials: { accessKeyId: "test", secretAccessKey: "test" } };
}

let tables = 0;

/** Creates an empty table with a unique name. @param sortKeyType of `sk`: a number as for ids by default */
export async function recordTable(
  endpoint: string,
  sortKeyType: "N" | "S" = "N",
  indexes: TableDefinition["indexes"] = {},
): Promise<string> {
  tables += 1;
  const TableName = `records-${process.pid}-${process.env.VITEST_WORKER_ID ?? 0}-${Date.now()}-${tables}`;
  const types = new Map<string, "N" | "S">([["pk", "S"]]).set("sk", sortKeyType);
  const keySchema = (...names: readonly string[]) =>
    names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? "HASH" : "RANGE" }));
  const GlobalSecondaryIndexes = Object.entries(indexes).map(([IndexName, { partitionKey, ...index }]) => {
    const [[name, type], { sortKey = "sk", keysOnly }] = [partitionKey, index];
    types.set(name, type);
    if (!types.has(sortKey)) types.set(sortKey, "S");
    const Projection = { ProjectionType: keysOnly ? "KEYS_ONLY" : "ALL" };
    return { IndexName, KeySchema: keySchema(name, sortKey), Projection };
  });
  // A client of the SDK takes longer than the engine.
  await callDynamodb({ endpoint }, "CreateTable", {
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [...types].map(([name, AttributeType]) => ({ AttributeName: name, AttributeType })),
    KeySchema: keySchema("pk", "sk"),
    ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
  });
  return TableName;
}

/** The production client for JavaScript values, without sleep between attempts, and patient. */
export function testClient(endpoint: string, { mayReadEventually = false } = {}): DynamoDBDocumentClient {
  const client = documentClient({
    config: {
      ...connection(endpoint),
      requestHandler: { connectionTimeout: 60_000, requestTimeout: 60_000 },
      retryStrategy: new ConfiguredRetryStrategy(3, () => 0),
    },
    sleep: async () => {},
  });
  if (!mayReadEventually) refuseEventualReads(client);
  return DynamoDBDocumentClient.from(client);
}

/** The engine is never stale. Indexes have no other reads, and the version of a post's content shows a stale one. */
function refuseEventualReads(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const input = args.input as { ConsistentRead?: boolean; IndexName?: string; Key?: object };
        const isRead = ["GetItemCommand", "QueryCommand"].includes(commandName ?? "");
        const isContent = JSON.stringify(input.Key ?? {}).includes('"content#');
        if (isRead && input.ConsistentRead !== true && input.IndexName === undefined && !isContent)
          throw new Error("A read is not strongly consistent");
        return next(args);
      },
    { name: "refuseEventualReads", step: "initialize" },
  );
}

/** Puts many items at once, as a restore would. The SDK would double the time, and concurrent calls are slower. */
export async function fill(
  client: DynamoDBDocumentClient,
  table: string,
  items: readonly Record<string, unknown>[],
): Promise<void> {
  const url = await client.config.endpoint?.();
  const options = engineOptions({ endpoint: `${url?.protocol}//${url?.hostname}:${url?.port}` });
  try {
    for (let start = 0; start < items.length; start += 25) {
      const part = items.slice(start, start + 25);
      const requests = part.map((item) => ({ PutRequest: { Item: toRawItem(item) } }));
      const body = JSON.stringify({ RequestItems: { [table]: requests } });
      const { response, text } = await sendToEngine(options, "BatchWriteItem", body);
      if (response.statusCode !== 200 || !text.includes('"UnprocessedItems":{}')) throw new Error(text);
    }
  } finally {
    options.agent.destroy();
  }
}
