import { describe, expect, it } from "vitest";
import { OrderPlacement, PARTITIONS } from "../../../../lib/repositories/orders/placement.ts";
import {
  engines,
  fill,
  onDefaultEngine,
  recordTable,
  testClient,
} from "../../../support/database/database.ts";
import { injectFaults } from "../../../support/database/faults.ts";

const order = { user_id: 1, items: [], total: 1, status: "pending", created_at: "2026-01-01T00:00:00.000Z" };

describe.each(onDefaultEngine(engines))("abandoned orders on $name", ({ endpoint }) => {
  it("are all tried, and none is completed after an error", async () => {
    const client = testClient(endpoint);
    const orders = await recordTable(endpoint);
    const pending = (sk: number) => ({
      pk: PARTITIONS[0],
      sk,
      order: { ...order, updated_at: order.created_at },
    });
    await fill(client, orders, [...Array(40).keys()].map(pending));
    const othersGoOn = Promise.withResolvers<undefined>();
    const attempted = injectFaults(
      client,
      (_operation, _attempt, { UpdateExpression = "", TransactItems = [] }) => {
        const completed = TransactItems.find(({ Delete }) => Delete)?.Delete?.Key;
        if (JSON.stringify(completed?.sk) === '{"N":"0"}') return "throttled";
        // The order that was not completed releases its id.
        if (UpdateExpression.includes(":minusOne")) othersGoOn.resolve(undefined);
        return completed === undefined ? undefined : othersGoOn.promise;
      },
    );
    const placement = new OrderPlacement(client, { orders, products: "" }, () => new Date());

    await expect(placement.completeAbandoned()).rejects.toMatchObject({ code: "ServiceUnavailable" });
    const { length } = attempted;
    expect(await placement.completeAbandoned({ isDryRun: true })).toBe(1);
    expect(attempted).toHaveLength(length + PARTITIONS.length);
  });
});
