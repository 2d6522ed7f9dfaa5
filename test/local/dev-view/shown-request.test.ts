import { describe, expect, it } from "vitest";
import { SERVICE_NAME } from "../../../lib/construct-ids.ts";
import { shownRequest } from "../../../local/dev-view/shown-request.ts";
import { servedRequest } from "../../support/data/served-request.ts";

const served = {
  ...servedRequest,
  method: "POST",
  target: "/auth/login?password=secret#x",
  routeKey: "POST /auth/login",
};

const lines = ["id", "other"].map((requestId) => {
  const entry = { level: "INFO", message: "request", service: "users", requestId, route: "POST /users/" };
  return { source: "Users", text: JSON.stringify(entry) };
});

function call(operation: string, startedAt: number, milliseconds: number) {
  const common = { resources: [], capacityUnits: 1, statusCode: 200, request: {}, response: "{}" };
  return { ...common, operation, startedAt, milliseconds };
}

describe("what is shown of a request", () => {
  it("is its path with the query, without the value of a password", () => {
    expect(shownRequest(served, new Date(0), lines)).toMatchObject({
      id: "id",
      time: "1970-01-01T00:00:00.000Z",
      target: "/auth/login?password=•••",
      status: 200,
      lines: [{ text: "[Users] INFO request  requestId=id  route=POST /users/", isError: false }],
    });
    expect(JSON.stringify(shownRequest(served, new Date(0), lines))).not.toContain('secret"');
  });

  it.each([
    ["of the function's log, which tells paths with a slash at their end apart", lines, "POST /users/"],
    ["of the gateway, if the function logged nothing", [], "POST /auth/login"],
  ])("is the route %s", (_, logged, route) => {
    expect(shownRequest(served, new Date(0), logged).route).toBe(route);
  });

  it("is no route if only that of all other paths matches", () => {
    const other = { ...served, routeKey: "GET /{proxy+}" };
    expect(shownRequest(other, new Date(0), [])).not.toHaveProperty("route");
  });

  it("is its calls in the order of their starts, with the names of tables, indexes and secrets, and why IAM refused one", () => {
    const refused = {
      ...call("TransactWriteItems", 1000, 1),
      resources: [
        "arn:aws:dynamodb:us-east-1:000000000000:table/orders",
        `arn:aws:dynamodb:us-east-1:000000000000:table/${SERVICE_NAME}-dev-OrdersTable315BB997`,
        `arn:aws:dynamodb:us-east-1:000000000000:table/${SERVICE_NAME}-dev-OrdersTable315BB997`,
        `arn:aws:dynamodb:us-east-1:000000000000:table/${SERVICE_NAME}-dev-OrdersTable315BB997/index/by-user`,
        "arn:aws:secretsmanager:us-east-1:000000000000:secret:signing-abc",
      ],
      statusCode: 400,
      denial: "not authorized",
    };
    const calls = [refused, call("C", 1011, 20), call("B", 1010, 5)];

    expect(shownRequest({ ...served, calls }, new Date(0), lines).calls).toMatchObject([
      {
        title: "TransactWriteItems orders, Orders, Orders/index/by-user, signing-abc",
        result: "not authorized",
        isDenied: true,
      },
      { title: "B ", offset: 10 },
      { title: "C ", offset: 11 },
    ]);
  });
});
