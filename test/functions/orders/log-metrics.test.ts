import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filterPattern } from "../../support/infra/filter-pattern.ts";
import { logMetric } from "../../support/infra/log-metrics.ts";
import { resourcesOf, stageTemplate } from "../../support/infra/templates.ts";
import { type MemoryRun, runInMemory } from "../../support/programs/run.ts";

describe("ordersOutOfStock", () => {
  const { logGroup, pattern } = logMetric("ordersOutOfStock");
  const statuses = new Map<string, number>();
  let run: MemoryRun;
  let source: string;

  beforeAll(async () => {
    run = await runInMemory();
    const send = (method: string, target: string, body?: object) =>
      fetch(run.url + target, { method, ...(body && { body: JSON.stringify(body) }) });
    const orders = {
      placed: [{ product_id: 1, quantity: 1 }],
      "out of stock": [{ product_id: 1, quantity: 1_000_000_000 }],
      "of an unknown product": [{ product_id: 999_999, quantity: 1 }],
      "of nothing": [],
    };
    for (const [name, body] of Object.entries(orders))
      statuses.set(name, (await send("POST", "/orders", body)).status);
    for (const status of ["cancelled", "paid"]) await send("PATCH", `/orders/1/status?status=${status}`);
    const functions = resourcesOf(stageTemplate("dev"), "AWS::Lambda::Function");
    source = functions.find(([, each]) => each.Properties.LoggingConfig.LogGroup.Ref === logGroup)?.[0] ?? "";
  });
  afterAll(() => run.close());

  it("counts only the order with insufficient stock among the log lines of the function", () => {
    expect(Object.fromEntries(statuses)).toEqual({
      placed: 201,
      "out of stock": 400,
      "of an unknown product": 404,
      "of nothing": 422,
    });
    const requests = run.lines
      .filter((line) => source.startsWith(line.source) && line.text.includes('"message":"request"'))
      .map(({ text }) => text);
    // The last one changes the status of a cancelled order, which is also a 400.
    expect(requests.map((text) => JSON.parse(text).status)).toEqual([201, 400, 404, 422, 200, 400]);
    const matches = filterPattern(pattern);
    expect(requests.map(matches)).toEqual([false, true, false, false, false, false]);
  });
});
