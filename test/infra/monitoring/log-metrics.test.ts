import { describe, expect, it } from "vitest";
import { definitions } from "../../../functions/definitions.ts";
import { accessLogLine } from "../../support/infra/access-log.ts";
import { filterPattern } from "../../support/infra/filter-pattern.ts";
import { logMetric, logMetrics } from "../../support/infra/log-metrics.ts";
import { resourcesOf, stageTemplate } from "../../support/infra/templates.ts";

const template = stageTemplate("dev");

it("there is one log metric of the gateway, and those that areas count", () => {
  const counted = Object.values(definitions).flatMap((area) => Object.keys(area.counted ?? {}));
  expect([...logMetrics().keys()].map((name) => name.toLowerCase())).toEqual(
    ["gatewayServerErrors", ...counted].map((name) => name.toLowerCase()),
  );
});

describe("gatewayServerErrors", () => {
  const matches = filterPattern(logMetric("gatewayServerErrors").pattern);

  it.each([
    ["GET /users/{id}", "500", true],
    ["POST /users", "503", true],
    ["GET /users/search", "504", true],
    ["GET /{proxy+}", "500", true],
    ["GET /error", "500", true],
    ["GET /users/{id}", "200", false],
    ["POST /users", "400", false],
    ["POST /users", "429", false],
    ["-", "404", false],
  ])("counts %s with %s: %s", (routeKey, status, expected) => {
    expect(matches(accessLogLine(template, { routeKey, status }))).toBe(expected);
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
