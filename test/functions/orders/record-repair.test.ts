import { describe, expect, it } from "vitest";
import { stored } from "../../../functions/orders/routes.ts";
import { COUNTER_KEY } from "../../../lib/records/id-allocation.ts";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { repairIds } from "../../../lib/records/id-repair.ts";
import { engines, fill, testClient } from "../../support/database/database.ts";
import { stackTable } from "../../support/infra/stack-table.ts";

describe.each(engines)("the repair of orders on $name", ({ endpoint }) => {
  it("names an order without lines", async () => {
    const client = testClient(endpoint);
    const name = await stackTable(endpoint, "orders");
    const record = {
      ...recordKey(1),
      user_id: 1,
      items: [],
      total: 0,
      status: "paid",
      created_at: "",
      updated_at: "",
    };
    await fill(client, name, [{ ...COUNTER_KEY, last: 1 }, record]);

    const [found] = await repairIds(client, [{ name, stored }], { wait: async () => undefined });
    expect(found?.damaged).toEqual(["The stored record 1 is damaged: items"]);
  });
});
