import { describe, expect, it } from "vitest";
import { definitions } from "../../../functions/definitions.ts";
import { accessLogLine } from "../../support/infra/access-log.ts";
import { filterPattern } from "../../support/infra/filter-pattern.ts";
import { logMetric, logMetrics } from "../../support/infra/log-metrics.ts";
import { resourcesOf, stageTemplate } from "../../support/infra/templates.ts";

const template = stageTemplate("dev");

it("there are two log metrics of the gateway, and those that areas count", () => {
  const counted = Object.values(definitions).flatMap((area) => Object.keys(area.counted ?? {}));
  expect([...logMetrics().keys()].map((name) => name.toLowerCase()).sort()).toEqual(
    ["gatewayServerErrors", "gatewayRefusals", ...counted].map((name) => name.toLowerCase()).sort(),
  );
});

it.each([
  ["gatewayRefusals", "401", true],
  ["gatewayRefusals", "429", true],
  ["gatewayRefusals", "404", false],
])("%s counts a request with %s: %s", (name, status, expected) => {
  const matches = filterPattern(logMetric(name).pattern);
  expect(matches(accessLogLine(template, { status }))).toBe(expected);
  expect(matches(accessLogLine(template, { routeKey: "GET /errors/*", status }))).toBe(false);
});

it.each([
  ["failedLogins", "POST /auth/login", 401, true],
  ["failedLogins", "POST /auth/login", 429, true],
  ["failedLogins", "POST /auth/login", 200, false],
  ["failedLogins", "PUT /users/me/password", 403, true],
  ["failedLogins", "POST /users/me/deletion", 403, true],
  ["failedLogins", "GET /users/me", 401, false],
  ["registrations", "POST /users/", 201, true],
  ["registrations", "POST /users/batch", 409, true],
  ["registrations", "POST /users", 201, false],
])("%s counts %s with %s: %s", (name, route, status, expected) => {
  expect(filterPattern(logMetric(name).pattern)(JSON.stringify({ route, status }))).toBe(expected);
});

describe("gatewayServerErrors", () => {
  const matches = filterPattern(logMetric("gatewayServerErrors").pattern);

  it.each([
    ["GET /users/{id}", "500", true],
    ["POST /users", "503", true],
    ["GET /{proxy+}", "500", true],
    ["GET /users/{id}", "200", false],
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
