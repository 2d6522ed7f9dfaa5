import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { ItemsRepository, textKey } from "../../../lib/repositories/items.ts";
import { MAX_ITEM_BYTES } from "../../../lib/validators/item.ts";
import { idempotencyContext } from "../../support/data/idempotency.ts";
import { engines, onDefaultEngine, testClient } from "../../support/database/database.ts";
import { injectFaults, type Plan } from "../../support/database/faults.ts";
import { MAX_STORED_BYTES, putSizes } from "../../support/database/item-size.ts";
import { stackTable } from "../../support/infra/stack-table.ts";
import { meter } from "../../support/programs/usage.ts";

describe.each(engines)("items on $name", ({ endpoint }) => {
  async function setUp(plan?: Plan) {
    const table = await stackTable(endpoint, "items");
    const client = testClient(endpoint);
    if (plan) injectFaults(client, plan);
    return { items: new ItemsRepository(client, table), client, table };
  }

  it("keeps the text and lists the name", async () => {
    const { items } = await setUp();

    expect(await items.page(0, 10)).toEqual({ records: [], total: 0 });
    expect((await items.create('{"name":"Lamp"}', "Lamp", undefined)).record.id).toBe(1);
    expect((await items.create("{}", "", undefined)).record.id).toBe(2);
    expect(await items.get(1)).toBe('{"name":"Lamp"}');
    expect(await items.get(3)).toBeUndefined();
    expect(await items.page(0, 10)).toEqual({
      records: [
        { id: 1, name: "Lamp" },
        { id: 2, name: "" },
      ],
      total: 2,
    });
  });

  it("reads one item in one call, and a page without the texts", async () => {
    const { items, client } = await setUp();
    const usage = meter(client);
    const text = `{"a":"${"x".repeat(100_000)}"}`;

    // The counter, and a transaction of the name and the text: 1 + 2 + 2 × 98.
    expect(await usage(() => items.create(text, "a", undefined))).toEqual({
      calls: 2,
      inSequence: 2,
      units: 199,
    });
    await items.create(text, "b", undefined);
    expect(await usage(() => items.get(1))).toEqual({ calls: 1, inSequence: 1, units: 25 });
    expect(await usage(() => items.page(0, 10))).toEqual({ calls: 2, inSequence: 2, units: 2 });
  });

  it("stores the largest items, with little under the partition key of other creations", async () => {
    const { items, client } = await setUp();
    const sizes = putSizes(client);
    await items.create("x".repeat(MAX_ITEM_BYTES), "\u0001".repeat(1_000), idempotencyContext("k"));

    expect(sizes.get("0")).toBeLessThan(6 * 1_024);
    expect(sizes.get("text#1")).toBeLessThan(MAX_STORED_BYTES);
  });

  it("has no item without its text, as in a backup with older parts, and can delete it", async () => {
    const { items, client, table } = await setUp();
    await items.create("{}", "lamp", undefined);
    await client.send(new DeleteCommand({ TableName: table, Key: textKey(1) }));

    expect(await items.get(1)).toBeUndefined();
    expect(await items.remove(1, () => expect.unreachable())).toBe(false);
    expect(await items.remove(1)).toBe(true);
    expect(await items.page(0, 10)).toEqual({ records: [], total: 0 });
  });

  it.each(onDefaultEngine(["conflict", "throttled", "timeout", "lost", "refused"]))(
    "deletes one item once, and reports it, if the first attempt is %s",
    async (fault) => {
      const { items } = await setUp((operation, attempt) =>
        operation.startsWith("TransactWrite") && attempt === 1 ? fault : undefined,
      );
      await items.create("{}", "a", undefined);
      await items.create("{}", "b", undefined);

      expect(await items.remove(1)).toBe(true);
      expect(await items.page(0, 10)).toEqual({ records: [{ id: 2, name: "b" }], total: 1 });
      expect(await items.remove(1)).toBe(false);
    },
  );

  it.each(onDefaultEngine(["conflict", "throttled", "timeout", "refused"]))(
    "distinguishes %s from a missing item",
    async (fault) => {
      const { items } = await setUp(() => fault);

      await expect(items.create("{}", "", undefined)).rejects.toMatchObject({ code: "ServiceUnavailable" });
      await expect(items.get(1)).rejects.toMatchObject({ code: "ServiceUnavailable" });
      await expect(items.page(0, 1)).rejects.toMatchObject({ code: "ServiceUnavailable" });
      await expect(items.remove(1)).rejects.toMatchObject({ code: "ServiceUnavailable" });
    },
  );
});
