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

/**
 * Returns a test's cases on the default engine, and none on a second one. It is for tests of simulated faults and of many
 * calls of one kind, in which engines do not differ.
 */
export function onDefaultEngine<const Case>(cases: readonly Case[]): readonly Case[] {
  return inject("engine") === undefined ? onlyOnce(cases) : [];
}

/** The SDK configuration of an engine on loopback, which requires credentials and a region but does not check them. */
export function connection(endpoint: string) {
  return { endpoint, region: "us-east-1", credentials: { accessKeyId: "test", secretAccessKey: "test" } };
}

let tables = 0;

/**
 * Creates an empty table of records with a unique name.
 *
 * @param sortKeyType the type of `sk`: a number by default, as for ids
 * @returns the table's name
 */
export async function recordTable(
  endpoint: string,
  sortKeyType: "N" | "S" = "N",
  indexes: TableDefinition["indexes"] = {},
): Promise<string> {
  tables += 1;
  const TableName = `records-${process.pid}-${process.env.VITEST_WORKER_ID ?? 0}-${Date.now()}-${tables}`;
  const attributes = Object.fromEntries([
    ["pk", "S"],
    ["sk", sortKeyType],
    ...Object.values(indexes).flatMap(({ partitionKey, sortKey = [] }) => [
      partitionKey,
      ...[sortKey].flat().map((name) => [name, "S"]),
    ]),
  ]);
  // A client of the SDK takes longer than the engine.
  await callDynamodb({ endpoint }, "CreateTable", {
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: Object.entries(attributes).map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    ...(Object.keys(indexes).length > 0 && {
      GlobalSecondaryIndexes: Object.entries(indexes).map(
        ([IndexName, { partitionKey, sortKey = "sk", keysOnly }]) => ({
          IndexName,
          KeySchema: [
            { AttributeName: partitionKey[0], KeyType: "HASH" },
            { AttributeName: sortKey, KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: keysOnly ? "KEYS_ONLY" : "ALL" },
        }),
      ),
    }),
  });
  return TableName;
}

/**
 * The production client on an engine, which also takes JavaScript values. It does not sleep between attempts, and gives an engine on two cores
 * time for a thousand calls at once.
 */
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

/**
 * The engine is never stale, so that a test would not notice a read that is. Indexes have no other reads, and contents
 * of posts have a version, by which the repository notices it.
 */
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

/**
 * Puts many items at once, as a restore from a backup would. It does not use the SDK, which needs as long to send an
 * item as the engine to store it; concurrent calls take the engine a quarter longer.
 */
export async function fill(
  client: DynamoDBDocumentClient,
  table: string,
  items: readonly Record<string, unknown>[],
): Promise<void> {
  const url = await client.config.endpoint?.();
  const options = engineOptions({ endpoint: `${url?.protocol}//${url?.hostname}:${url?.port}` });
  try {
    for (let start = 0; start < items.length; start += 25) {
      const requests = items
        .slice(start, start + 25)
        .map((item) => ({ PutRequest: { Item: toRawItem(item) } }));
      const body = JSON.stringify({ RequestItems: { [table]: requests } });
      const { response, text } = await sendToEngine(options, "BatchWriteItem", body);
      if (response.statusCode !== 200 || !text.includes('"UnprocessedItems":{}')) throw new Error(text);
    }
  } finally {
    options.agent.destroy();
  }
}
