import { beforeAll, describe, expect, it } from "vitest";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { inProcess } from "../support/api/in-process.ts";
import { engines, recordTable, testClient } from "../support/database/database.ts";

const [engine] = engines;
if (!engine) throw new Error("No engine is running");
const { endpoint } = engine;

// A gateway that distinguishes `/users/` from `/users` sends every path with a trailing slash to the fallback.
const catchAll = ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) => ({
  routeKey: `${method} /{proxy+}`,
  folder: "fallback",
}));

describe("the fallback function", () => {
  let table: string;
  let send: ReturnType<typeof inProcess>;
  beforeAll(async () => {
    table = await recordTable(endpoint, "S");
    send = inProcess({
      environment: { ACCOUNTS_TABLE: table, ITEMS_TABLE: "unused", AWS_ENDPOINT_URL_DYNAMODB: endpoint },
      routes: catchAll,
    });
  });
  const user = (username: string) => ({ username, email: `${username}@example.com`, password: "Passw0rd" });
  const post = (target: string, json: unknown) =>
    send({ method: "POST", target, headers: {}, body: JSON.stringify(json) });

  it("registers accounts", async () => {
    const { status, text } = await post("/users/", user("alice"));

    expect(status).toBe(201);
    expect(JSON.parse(text)).toEqual({
      username: "alice",
      email: "alice@example.com",
      age: null,
      website: null,
    });
    expect(await new AccountsRepository(testClient(endpoint), table).get("alice")).toMatchObject({
      role: "user",
    });
  });

  it("sends errors in the format of the accounts", async () => {
    await post("/users/", user("bob"));
    const taken = await post("/users/", user("bob"));
    const invalid = await post("/users/", {});

    expect([taken.status, JSON.parse(taken.text).field]).toEqual([409, "username"]);
    expect([invalid.status, JSON.parse(invalid.text).error]).toEqual([422, "ValidationError"]);
  });

  it("does not handle other paths", async () => {
    const { status, text } = await post("/users/nothing/at/all", user("carol"));

    expect([status, JSON.parse(text)]).toEqual([404, { detail: "Not Found" }]);
  });

  it("does not redirect to a location that is longer than the gateway allows", async () => {
    // The gateway accepts 4 KB, of which each byte becomes three.
    const target = `/todos/${"\\".repeat(4_000)}/`;
    const { status, text } = await send({ method: "GET", target, headers: {} });

    expect([status, JSON.parse(text)]).toEqual([404, { detail: "Not Found" }]);
  });

  it("returns 404 for a path with an encoded slash", async () => {
    const { status } = await send({ method: "GET", target: "/errors%2F404", headers: {} });

    expect(status).toBe(404);
  });
});
