import { createHash } from "node:crypto";
import { DescribeTableCommand, paginateScan } from "@aws-sdk/client-dynamodb";
import { tableNames } from "../../functions/definitions.ts";
import type { StageResources } from "../stage.ts";

export type Tables = Pick<StageResources, "rawDynamodb" | "table">;

/** @returns an id of a stage's tables, another one if a table is created anew */
export async function idOfTables({ rawDynamodb: client, table }: Tables): Promise<string> {
  const ids: unknown[] = [];
  for (const area of tableNames) {
    const { Table = {} } = await client.send(new DescribeTableCommand({ TableName: table(area) }));
    // DynamoDB Local gives no ids.
    ids.push([Table.TableArn, Table.TableId ?? Table.CreationDateTime]);
  }
  return createHash("sha256").update(JSON.stringify(ids)).digest("hex").slice(0, 12);
}

/** @returns the numbers of all items of a table, and of those that DynamoDB does not expire */
export async function countItems({ rawDynamodb: client, table }: Tables, area: string) {
  const FilterExpression = "attribute_not_exists(expires_at)";
  const input = { TableName: table(area), Select: "COUNT", ConsistentRead: true, FilterExpression } as const;
  let [all, permanent] = [0, 0];
  for await (const { ScannedCount = 0, Count = 0 } of paginateScan({ client }, input)) {
    all += ScannedCount;
    permanent += Count;
  }
  return { all, permanent };
}
