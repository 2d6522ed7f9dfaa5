import { expect, it, onTestFinished } from "vitest";
import { filterPattern } from "../../support/infra/filter-pattern.ts";
import { logMetric } from "../../support/infra/log-metrics.ts";
import { resourcesOf, stageTemplate } from "../../support/infra/templates.ts";
import { runInMemory } from "../../support/programs/run.ts";

it("ordersOutOfStock counts only the order with insufficient stock among the log lines of the function", async () => {
  const { logGroup, pattern } = logMetric("ordersOutOfStock");
  const run = await runInMemory();
  onTestFinished(run.close);
  const send = async (method: string, target: string, body?: object) => {
    const response = await fetch(run.url + target, { method, ...(body && { body: JSON.stringify(body) }) });
    await response.text();
  };
  for (const quantity of [1, 1_000_000_000]) await send("POST", "/orders", [{ product_id: 1, quantity }]);
  await send("POST", "/orders", [{ product_id: 999_999, quantity: 1 }]);
  await send("POST", "/orders", []);
  // The last one changes a cancelled order, which is also a 400.
  for (const status of ["cancelled", "paid"]) await send("PATCH", `/orders/1/status?status=${status}`);

  const functions = resourcesOf(stageTemplate("dev"), "AWS::Lambda::Function");
  const [source = ""] =
    functions.find(([, each]) => each.Properties.LoggingConfig.LogGroup.Ref === logGroup) ?? [];
  const requests = run.lines
    .filter((line) => source.startsWith(line.source) && line.text.includes('"message":"request"'))
    .map(({ text }) => text);
  expect(requests.map((text) => JSON.parse(text).status)).toEqual([201, 400, 404, 422, 200, 400]);
  expect(requests.map(filterPattern(pattern))).toEqual([false, true, false, false, false, false]);
});
