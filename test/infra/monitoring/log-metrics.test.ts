import { expect, it } from "vitest";
import { accessLogLine } from "../../support/infra/access-log.ts";
import { filterPattern } from "../../support/infra/filter-pattern.ts";
import { logMetric } from "../../support/infra/log-metrics.ts";
import { resourcesOf, stageTemplate } from "../../support/infra/templates.ts";

const template = stageTemplate("dev");

it.each([
  ["gatewayRefusals", "GET /users/{id}", "401", true],
  ["gatewayRefusals", "POST /users", "429", true],
  ["gatewayRefusals", "GET /users/{id}", "404", false],
  ["gatewayRefusals", "GET /errors/*", "401", false],
  ["gatewayServerErrors", "GET /users/{id}", "500", true],
  ["gatewayServerErrors", "GET /{proxy+}", "503", true],
  ["gatewayServerErrors", "POST /users", "429", false],
  ["gatewayServerErrors", "-", "404", false],
])("%s counts a request for %s with %s: %s", (name, routeKey, status, expected) => {
  const matches = filterPattern(logMetric(name).pattern);
  expect(matches(accessLogLine(template, { routeKey, status }))).toBe(expected);
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

it("gatewayServerErrors does not count the demonstration of a server error", () => {
  const matches = filterPattern(logMetric("gatewayServerErrors").pattern);
  const keys = resourcesOf(template, "AWS::ApiGatewayV2::Route").map(([, each]) => each.Properties.RouteKey);
  const demonstrations = keys.filter((key: string) => key.includes(" /errors/"));
  const lines = demonstrations.map((routeKey) => accessLogLine(template, { routeKey, status: "500" }));
  expect(lines.map(matches)).toEqual([false, false]);
});
