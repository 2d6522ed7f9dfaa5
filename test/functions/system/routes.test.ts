import { describe, expect, it } from "vitest";
import { healthRoutes } from "../../../functions/system/routes.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { assertReadable } from "../../../lib/repositories/readiness.ts";
import { clientOf } from "../../support/api/invoke.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import { injectFaults, type Plan } from "../../support/database/faults.ts";

describe.each(engines)("readiness on $name", ({ endpoint }) => {
  function apiOf(table: string, plan: Plan = () => undefined) {
    const client = testClient(endpoint, { mayReadEventually: true });
    const attempted = injectFaults(client, plan);
    const dependencies = { assertReady: () => assertReadable(client, table) };
    return { api: clientOf(createHandler(healthRoutes, () => () => dependencies)), attempted };
  }

  it("is one read", async () => {
    const { api, attempted } = apiOf(await recordTable(endpoint, "S"));
    expect(await api.get("/health/ready")).toMatchObject({ status: 200, body: { status: "ready" } });
    expect(attempted).toEqual(["GetItem"]);
  });

  it.each(["throttled", "timeout", "refused"] as const)("is a 503 if the read is %s", async (fault) => {
    const { api } = apiOf(await recordTable(endpoint, "S"), () => fault);
    const { status, body, headers } = await api.get("/health/ready");
    expect([status, body]).toEqual([503, { detail: expect.stringMatching(/./) }]);
    expect(headers.get("retry-after")).toBe("1");
  });

  it("is a 503 without the table, and not checked by GET /health", async () => {
    const { api, attempted } = apiOf("no-such-table");
    expect((await api.get("/health")).status).toBe(200);
    expect(attempted).toEqual([]);
    expect((await api.get("/health/ready")).status).toBe(503);
  });
});
