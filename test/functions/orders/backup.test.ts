import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { tableNames, tablesWithIds } from "../../../functions/definitions.ts";
import { repair } from "../../../functions/repair/repair.ts";
import { updateItem } from "../../../lib/dynamodb/update.ts";
import { newOperation, operationsOn } from "../../../lib/records/exactly-once.ts";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { OrdersRepository } from "../../../lib/repositories/orders/orders.ts";
import { ProductsRepository } from "../../../lib/repositories/products.ts";
import { exportTables } from "../../../ops/backup/export-tables.ts";
import { importTables } from "../../../ops/backup/import-tables.ts";
import type { Tables } from "../../../ops/backup/tables.ts";
import { connection, engines, onDefaultEngine, testClient } from "../../support/database/database.ts";
import { stackTable } from "../../support/infra/stack-table.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { openShop } from "./shop.ts";

const STOCK = 100_000;
const PRODUCTS = 12;
const CUSTOMERS = 8;
/** So many orders end before each page of the export is read. */
const ORDERS_PER_PAGE = 10;

describe.each(onDefaultEngine(engines))("an export beside orders on $name", ({ endpoint }) => {
  it("has exact stock after its import", { timeout: 120_000 }, async () => {
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => void vi.restoreAllMocks());
    const shop = await openShop(endpoint);
    for (let i = 0; i < PRODUCTS; i += 1) await shop.offer({ stock: STOCK });
    const client = new DynamoDBClient(connection(endpoint));
    const tablesWith = async (known: Readonly<Record<string, string>>): Promise<Tables> => {
      const names: Record<string, string> = { ...known };
      for (const area of tableNames) names[area] ??= await stackTable(endpoint, area);
      return { rawDynamodb: client, table: (area) => names[area] ?? "" };
    };

    // Of an order that is released before the orders are read.
    await updateItem(testClient(endpoint), {
      TableName: shop.tables.products,
      Key: recordKey(1),
      UpdateExpression: "SET stock = stock - :five, #operation = :five",
      ExpressionAttributeNames: { "#operation": newOperation() },
      ExpressionAttributeValues: { ":five": 5 },
    });
    let [isOver, placed] = [false, 0];
    const customers = Array.from({ length: CUSTOMERS }, async (_, customer) => {
      const { placement } = shop.newProcess();
      for (let i = 0; !isOver; i += 1) {
        const cart = [1, 1 + ((customer + i) % PRODUCTS)].map((product_id) => ({ product_id, quantity: 1 }));
        await placement.place(1, cart, undefined);
        placed += 1;
      }
    });
    const send = async (command: never) => {
      if ((command as unknown) instanceof ScanCommand) {
        const { input } = command as ScanCommand;
        input.Limit = input.TableName === shop.tables.products ? 5 : 100;
        const enough = placed + ORDERS_PER_PAGE;
        await vi.waitUntil(() => placed >= enough, { timeout: 60_000, interval: 1 });
      }
      return client.send(command);
    };
    const source = await tablesWith(shop.tables);
    const directory = temporaryDirectory(onTestFinished);
    const slow = { ...source, rawDynamodb: Object.assign(Object.create(client), { send }) };
    await exportTables(slow, directory, false).finally(() => {
      isOver = true;
    });
    await Promise.all(customers);

    const target = await tablesWith({});
    await importTables(target, directory, false);
    const documents = testClient(endpoint);
    const options = { wait: async () => undefined, abandonedAfterMs: Number.NEGATIVE_INFINITY };
    expect((await repair(documents, tablesWithIds, target.table, options)).released).toBeGreaterThan(0);

    const { records: orders } = await new OrdersRepository(
      documents,
      target.table("orders"),
      () => new Date(),
    ).list({});
    expect(orders.length).toBeGreaterThan(ORDERS_PER_PAGE);
    const products = new ProductsRepository(documents, target.table("products"));
    for (const item of await products.readMany(Array.from({ length: PRODUCTS }, (_, i) => i + 1))) {
      const lines = orders.flatMap(({ items }) => items).filter(({ product_id }) => product_id === item.sk);
      expect(Number(item.stock) + lines.length).toBe(STOCK);
      expect(operationsOn(item)).toEqual([]);
    }
    expect((await repair(documents, tablesWithIds, target.table, options)).released).toBe(0);
  });
});
