import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { AccountsRepository } from "../../../lib/repositories/accounts/accounts.ts";
import { idempotencyContext as under } from "../../support/data/idempotency.ts";
import { notesIn } from "../../support/data/notes.ts";
import type { CreationScenario } from "../../support/database/creation-scenario.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import { ofAreas } from "../../support/of-areas.ts";
import { meter } from "../../support/programs/usage.ts";
import { interruptedClient } from "../interrupted.ts";
import { newAccount } from "../repositories/accounts/new-account.ts";

const account = newAccount("ada");
const tomorrow = Date.parse("2026-03-02T12:00:00.000Z");

const scenarios: Readonly<Record<string, (endpoint: string) => Promise<CreationScenario>>> = {
  records: async (endpoint) => {
    const table = await recordTable(endpoint);
    const create: CreationScenario["create"] = (client, idempotency) =>
      notesIn(client, table).create({ text: "a" }, idempotency);
    return { table, calls: [2, 3], create };
  },
  accounts: async (endpoint) => {
    const table = await recordTable(endpoint, "S");
    const create: CreationScenario["create"] = async (client, idempotency) => {
      const accounts = new AccountsRepository(client, table);
      return (await accounts.checkRegistration([account], idempotency)) === "replay"
        ? { record: [account], replayed: true }
        : accounts.registerAll([account], idempotency);
    };
    return { table, calls: [2, 2], create };
  },
  ...(await ofAreas<(endpoint: string) => Promise<CreationScenario>>("creation")),
};

describe.each(engines)("creations with an idempotency key on $name", ({ endpoint }) => {
  const contents = async (table: string) => {
    const { Items: items = [] } = await testClient(endpoint).send(new ScanCommand({ TableName: table }));
    return items;
  };

  it.each(Object.entries(scenarios))("of %s store neither the key nor what was sent", async (_, open) => {
    const { table, create } = await open(endpoint);
    await create(testClient(endpoint), under("a very particular key"));
    const [entry = {}, ...others] = (await contents(table)).filter(({ pk }) => pk.startsWith("key#"));
    expect(others).toEqual([]);
    expect(JSON.stringify(entry)).not.toContain("particular");
    expect(Object.keys(entry).sort()).toEqual(["expires_at", "pk", "requestHash", "result", "sk"]);
    expect(entry.expires_at).toBe(tomorrow / 1_000);
  });

  it.each([
    [-1_000, 1],
    [0, 2],
    [1_000, 2],
  ])("expire after a day (%i ms after it)", async (offset, expected) => {
    const { table, create } = await (scenarios.records?.(endpoint) ?? expect.unreachable());
    await create(testClient(endpoint), under("k"));
    await create(testClient(endpoint), under("k", { receivedAt: new Date(tomorrow + offset) }));
    expect(await notesIn(testClient(endpoint), table).page(0, 0)).toMatchObject({ total: expected });
  });

  it("release the id if the same request has been processed in between", async () => {
    const { table, create } = await (scenarios.records?.(endpoint) ?? expect.unreachable());
    const client = interruptedClient(endpoint, "TransactWriteItems", () =>
      create(testClient(endpoint), under("k")),
    );
    const record = { id: 2, text: "a" };
    expect(await create(client, under("k"))).toEqual({ record, replayed: true });
    expect(await notesIn(client, table).page(0, 5)).toEqual({ records: [record], total: 1 });
  });

  it("cost one more call with a key, and none without", async () => {
    for (const open of Object.values(scenarios)) {
      const client = testClient(endpoint);
      const cost = meter(client);
      const { create, calls } = await open(endpoint);
      const [withoutKey, withKey] = calls;
      expect(await cost(() => create(client, under("k")))).toMatchObject({ calls: withKey });
      expect(await cost(() => create(client, under("k")))).toMatchObject({ calls: 1 });
      const other = await open(endpoint);
      expect(await cost(() => other.create(client))).toMatchObject({ calls: withoutKey });
    }
  });
});
