import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpClient } from "../../../ops/http-client.ts";
import { accessLogLine } from "../../support/infra/access-log.ts";
import { filterPattern } from "../../support/infra/filter-pattern.ts";
import { resourcesOf, stageTemplate } from "../../support/infra/templates.ts";
import { type MemoryRun, runInMemory } from "../../support/programs/run.ts";

const template = stageTemplate("dev");

const filters = new Map(
  resourcesOf(template, "AWS::Logs::MetricFilter").map(([, { Properties }]) => [
    String(Properties.MetricTransformations[0].MetricName),
    { logGroup: String(Properties.LogGroupName.Ref), pattern: String(Properties.FilterPattern) },
  ]),
);

function filter(metric: string) {
  const found = filters.get(metric);
  if (!found) throw new Error(`The template has no filter for ${metric}`);
  return found;
}

it("there are two log metrics", () => {
  expect([...filters.keys()]).toEqual(["gatewayServerErrors", "ordersOutOfStock"]);
});

describe("gatewayServerErrors", () => {
  const { logGroup, pattern } = filter("gatewayServerErrors");
  const matches = filterPattern(pattern);

  it("is counted in the gateway's access log", () => {
    const [[, stage] = []] = resourcesOf(template, "AWS::ApiGatewayV2::Stage");
    expect(stage?.Properties.AccessLogSettings.DestinationArn["Fn::GetAtt"]).toEqual([logGroup, "Arn"]);
  });

  it.each([
    ["GET /todos/{id}", "500"],
    ["POST /orders", "503"],
    ["GET /posts/search", "504"],
    ["GET /{proxy+}", "500"],
    ["GET /error", "500"],
  ])("counts %s with %s", (routeKey, status) => {
    expect(matches(accessLogLine(template, { routeKey, status }))).toBe(true);
  });

  it.each([
    ["GET /todos/{id}", "200"],
    ["POST /orders", "400"],
    ["POST /users", "429"],
    ["-", "404"],
  ])("does not count %s with %s", (routeKey, status) => {
    expect(matches(accessLogLine(template, { routeKey, status }))).toBe(false);
  });

  it("does not count the demonstration of a server error", () => {
    const keys = resourcesOf(template, "AWS::ApiGatewayV2::Route").map(
      ([, { Properties }]) => Properties.RouteKey as string,
    );
    const demonstrations = keys.filter((key) => key.includes(" /errors/"));

    expect(demonstrations).toHaveLength(2);
    for (const routeKey of demonstrations)
      expect(matches(accessLogLine(template, { routeKey, status: "500" }))).toBe(false);
  });
});

describe("ordersOutOfStock", () => {
  const { logGroup, pattern } = filter("ordersOutOfStock");
  const statuses = new Map<string, number>();
  let run: MemoryRun;
  let source: string;

  beforeAll(async () => {
    run = await runInMemory();
    const client = createHttpClient(new URL(run.url), 1);
    const orders = {
      placed: [{ product_id: 1, quantity: 1 }],
      "out of stock": [{ product_id: 1, quantity: 1_000_000_000 }],
      "of an unknown product": [{ product_id: 999_999, quantity: 1 }],
      "of nothing": [],
    };
    const headers = { "content-type": "application/json" };
    for (const [name, order] of Object.entries(orders)) {
      const body = JSON.stringify(order);
      const { status } = await client.send({ method: "POST", target: "/orders", headers, body }, 10_000);
      statuses.set(name, status);
    }
    await client.send({ method: "PATCH", target: "/orders/1/status?status=cancelled" }, 10_000);
    await client.send({ method: "PATCH", target: "/orders/1/status?status=paid" }, 10_000);
    client.close();
    const functions = resourcesOf(template, "AWS::Lambda::Function");
    source =
      functions.find(([, { Properties }]) => Properties.LoggingConfig.LogGroup.Ref === logGroup)?.[0] ?? "";
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

describe("the filter pattern parser of these tests", () => {
  const line = JSON.stringify({ text: "GET /errors/{status}", status: 400, asText: "400" });

  it.each([
    ['{ ($.text = "GET *") }', true],
    ['{ ($.text = "GET") }', false],
    ['{ ($.text != "GET /errors/*") }', false],
    ["{ ($.status = 400) && ($.status != 404) }", true],
    ["{ ($.asText = 400) }", false],
    ['{ ($.status = "4*") }', false],
  ])("%s: %s", (pattern, expected) => {
    expect(filterPattern(pattern)(line)).toBe(expected);
  });

  it("matches no lines that are not JSON, and rejects unsupported patterns", () => {
    expect(filterPattern('{ ($.text = "*") }')("START RequestId: 1")).toBe(false);
    expect(() => filterPattern("{ ($.none = 1) }")(line)).toThrow("The line has no none");
    for (const pattern of ["[a, b]", "{ ($.a > 1) }", "{ ($.a = 1) || ($.b = 2) }", '{ $.a = "1" }'])
      expect(() => filterPattern(pattern)).toThrow("Not a comparison that is known here");
  });
});
