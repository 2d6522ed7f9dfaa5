import { join } from "node:path";
import { type AttributeValue, DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { tableNames, tablesWithIds } from "../../../functions/definitions.ts";
import { repair } from "../../../functions/repair/repair.ts";
import { OrdersRepository } from "../../../lib/repositories/orders/orders.ts";
import { exportTables, type Tables } from "../../../ops/backup/export-tables.ts";
import { importTables } from "../../../ops/backup/import-tables.ts";
import { connection, engines, onDefaultEngine, testClient } from "../../support/database/database.ts";
import { stackTable } from "../../support/infra/stack-table.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { openShop } from "./shop.ts";
import { atStep, dyingAfter } from "./steps.ts";

type Item = Readonly<Record<string, AttributeValue>>;

const cart = [{ product_id: 1, quantity: 1 }];
const [OF_DEAD_PROCESS, DURING_EXPORT] = [3, 4];

describe.each(onDefaultEngine(engines))("an export beside orders on $name", ({ endpoint }) => {
  const client = new DynamoDBClient(connection(endpoint));

  /** Tables, of which some exist. */
  async function tablesWith(known: Readonly<Record<string, string>>): Promise<Tables> {
    const names: Record<string, string> = { ...known };
    for (const area of tableNames) names[area] ??= await stackTable(endpoint, area);
    return { rawDynamodb: client, table: (area) => names[area] ?? "" };
  }

  /** Reads a table in two pages, with some of its partitions in each, and does something in between. */
  function inTwoPages(table: string, isOnFirst: (item: Item) => boolean, between: () => Promise<unknown>) {
    const send = async (command: { readonly input: ScanCommand["input"] }) => {
      if (!(command instanceof ScanCommand) || command.input.TableName !== table)
        return client.send(command as never);
      const isFirst = command.input.ExclusiveStartKey === undefined;
      if (!isFirst) await between();
      const { Items = [] } = await client.send(new ScanCommand({ TableName: table, ConsistentRead: true }));
      const Page = Items.filter((item) => isOnFirst(item) === isFirst);
      return { Items: Page, ...(isFirst && { LastEvaluatedKey: { pk: { S: "0" }, sk: { N: "0" } } }) };
    };
    return Object.assign(Object.create(client), { send });
  }

  it.each(["pending orders", "records"])("has no order twice, if it reads %s first", async (first) => {
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => void vi.restoreAllMocks());
    const shop = await openShop(endpoint);
    await shop.offer();
    for (const user of [1, 2]) await shop.placement.place(user, cart, undefined);
    const dead = shop.newProcess(dyingAfter("deduct")).placement;
    await expect(dead.place(OF_DEAD_PROCESS, cart, undefined)).rejects.toThrow();
    const [isPending, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    const untilMayEnd = () => {
      isPending.resolve();
      return mayEnd.promise;
    };
    const { placement } = shop.newProcess(atStep("allocate", untilMayEnd));
    const placed = placement.place(DURING_EXPORT, cart, undefined);
    await isPending.promise;

    const source = await tablesWith(shop.tables);
    const isOnFirst = ({ pk }: Item) => String(pk?.S).startsWith("pending#") === (first === "pending orders");
    const rawDynamodb = inTwoPages(shop.tables.orders, isOnFirst, () => {
      mayEnd.resolve(undefined);
      return placed;
    });
    const file = join(temporaryDirectory(onTestFinished), "backup.jsonl");
    await exportTables({ ...source, rawDynamodb }, file);
    const target = await tablesWith({});
    await importTables(target, file);
    const options = { wait: async () => undefined, abandonedAfterMs: Number.NEGATIVE_INFINITY };
    const repaired = await repair(testClient(endpoint), tablesWithIds, target.table, options);

    expect(repaired.completed).toBe(1);
    const orders = new OrdersRepository(testClient(endpoint), target.table("orders"), () => shop.clock.now);
    const users = (await orders.list({})).records.map(({ user_id }) => user_id).sort();
    expect(users).toEqual([1, 2, OF_DEAD_PROCESS, ...(first === "records" ? [] : [DURING_EXPORT])]);
  });
});
