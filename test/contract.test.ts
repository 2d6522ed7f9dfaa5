import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import packageFile from "../package.json" with { type: "json" };
import { breakingChanges } from "./support/contract/breaking-changes.ts";
import {
  type Contract,
  contractOf,
  contractToKeep,
  lastContract,
  readContract,
  unannounced,
} from "./support/contract/contract.ts";
import { document } from "./support/infra/openapi.ts";

const contract = contractOf(document);

type Json = { [name: string]: unknown };

/** Sets or deletes (undefined) a part of the contract: the names that lead there from a path or a named schema on. */
function changed(place: string, value?: unknown): Contract {
  const copy = structuredClone(contract);
  const path = place
    .replace(/^(?=\/)/, "paths ")
    .replace(/^(?=[A-Z])/, "components schemas ")
    .split(" ");
  const key = path.pop() ?? "";
  const part = path.reduce<Json>((each, name) => each[name] as Json, copy as Json);
  if (value === undefined && !(key in part)) throw new Error(`There is no ${place}`);
  part[key] = value;
  // Without what is undefined.
  return JSON.parse(JSON.stringify(copy));
}

const limit = { type: "integer", minimum: 1 };
const cursor = { type: "string" };
const owner = { name: "owner", in: "query", schema: cursor };
const user = { $ref: "#/components/schemas/User" };

describe("the contract", () => {
  const kept = contractToKeep(packageFile.version);

  it("keeps what the last release of its major version promised", () => {
    const advice =
      "change the major version, or keep what clients use (docs/versioning.md); until the release: npm run generate -- contract";
    expect(kept === undefined ? [] : breakingChanges(readContract(kept), contract), advice).toEqual([]);
  });

  it("changes in a major version only where the changelog names the operation", () => {
    const changes = breakingChanges(readContract(lastContract()), contract);

    expect(unannounced(changes, readFileSync("CHANGELOG.md", "utf8"))).toEqual([]);
  });

  it("needs a line of the newest section for each breaking change", () => {
    const gone = ["DELETE /todos/{id}: is gone", "POST /todos 201.id: is gone"];
    const changes = [...gone, "apiKey: is sent in another way"];
    const older = "## [1.0.0]\n\n- `apiKey` and `POST /todos` exist.\n";
    const changelog = `# Changes\n\n## [Unreleased]\n\n- \`DELETE /todos/{id}\` is gone.\n\n${older}`;

    expect(unannounced(changes, changelog)).toEqual(changes.slice(1));
    expect(unannounced(changes, older)).toEqual(changes.slice(0, 1));
  });

  it("is compared with the last release of the same major version", () => {
    const files = ["1.0.0.json", "1.10.0.json", "1.9.0.json", "2.0.0.json"];
    expect(contractToKeep("1.11.0", files)).toBe("1.10.0.json");
    expect(contractToKeep("2.0.1", files)).toBe("2.0.0.json");
    expect(contractToKeep("3.0.0", files)).toBeUndefined();
    expect(contractToKeep("1.0.0")).toBeDefined();
  });

  it.each<[string, string, unknown?]>([
    ["DELETE /todos/{id}: is gone", "/todos/{id} delete"],
    ["POST /todos: has another operationId", "/todos post operationId", "addTodo"],
    ["POST /todos: needs other credentials", "/todos post security", [{ bearer: [] }]],
    ["apiKey: is sent in another way", "components securitySchemes apiKey name", "X-Key"],
    ["POST /todos 201: is gone", "/todos post responses 201"],
    ["POST /todos 202: is a new success", "/todos post responses 202", {}],
    ["POST /todos 201 header location: is gone", "/todos post responses 201 headers location"],
    ["POST /todos header idempotency-key: is gone", "/todos post parameters", []],
    ["POST /todos body: is gone", "/todos post requestBody"],
    ["POST /auth/login body: is required", "/auth/login post requestBody required", true],
    [
      "POST /auth/login body application/x-www-form-urlencoded: is gone",
      "/auth/login post requestBody content application/x-www-form-urlencoded",
    ],
    ["GET /todos query limit: is required", "/todos get parameters 0 required", true],
    ["GET /todos query owner: is required", "/todos get parameters 2", { ...owner, required: true }],
    [
      "GET /todos query limit: has another maximum",
      "/todos get parameters 0 schema",
      { ...limit, maximum: 500 },
    ],
    ["POST /todos 201.completed: is gone", "Todo properties completed"],
    ["POST /todos 201.completed: is optional", "Todo required", ["id", "title"]],
    ["POST /todos 201.id: has another type", "Todo properties id type", "string"],
    ["POST /todos 201.title: has another type", "Todo properties title type", ["string", "null"]],
    ["GET /todos 200[].title: has another type", "Todo properties title", { type: "integer" }],
    ['GET /health 200.status: has no "ok"', "Health properties status", { type: "string", const: "fine" }],
    ["GET /health 200.status: has other values", "Health properties status const"],
    ["POST /users/ body.website: is required", "UserCreate required", ["website"]],
    ["POST /users/ body.website: is gone", "UserCreate properties website"],
    ["POST /users/ body.age: has another type", "UserCreate properties age type", "integer"],
    ["POST /users/ body.username: has another minLength", "UserCreate properties username minLength", 4],
    ["POST /users/ body.username: has another pattern", "UserCreate properties username pattern", "^a$"],
    ["POST /users/ body.username: has other values", "UserCreate properties username enum", ["ada"]],
    [
      'PATCH /orders/{order_id}/status query status: has no "cancelled"',
      "OrderStatus enum",
      ["pending", "paid", "shipped", "delivered"],
    ],
    ["POST /posts body.status: has another default", "PostCreate properties status default", "published"],
    [`GET /users 200: has another alternative, ${user.$ref}`, "ListUsersResult oneOf 3", user],
  ])("is broken by %s", (change, path, value) => {
    expect(breakingChanges(contract, changed(path, value))).toContainEqual(expect.stringContaining(change));
  });

  it.each<[string, string, unknown?]>([
    ["a new operation", "/new", { get: contract.paths["/todos"]?.get }],
    ["a new optional parameter", "/todos get parameters 2", owner],
    ["a wider parameter", "/todos get parameters 0 schema", { type: "integer" }],
    ["a new field in responses", "Todo properties due", cursor],
    ["a new optional field in requests", "UserCreate properties nick", cursor],
    ["a field that need not be sent", "UserCreate required", ["username", "email"]],
    ["a new value of an enumeration", "OrderStatus enum 5", "returned"],
    ["a new error", "/todos post responses 403", {}],
    ["a new header", "/todos get responses 200 headers age", {}],
  ])("is not broken by %s", (_, path, value) => {
    expect(breakingChanges(contract, changed(path, value))).toEqual([]);
  });
});
