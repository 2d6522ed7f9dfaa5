import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createHandler } from "../../../lib/http/handler.ts";
import { type Route, response } from "../../../lib/http/route.ts";
import { textParameter } from "../../../lib/validators/parameter.ts";
import { invoke } from "../../support/api/invoke.ts";
import { about, route } from "../../support/api/test-route.ts";

const query = z.object({ a: textParameter(z.string(), "First"), b: textParameter(z.string(), "Second") });
const parts = { ...about, request: { query }, responses: { 200: query } } as const;
const echo = route("POST /query", { ...parts, handle: async (request) => response(200, request.query) });
const failing = route("POST /secrets", { ...parts, handle: () => Promise.reject(new Error("unexpected")) });
const authorizer = { scheme: "bearer", errors: {}, authorize: async () => undefined } as const;
const routes: Route<unknown>[] = [
  echo,
  { ...echo, pattern: "/both", queryInBody: true },
  { ...failing, pattern: "/query-with-secrets", secretQuery: true },
  { ...failing, pattern: "/body-with-secrets", secretFields: ["b"] },
  { ...failing, pattern: "/token", authorizer },
];
const handler = createHandler(routes, () => () => undefined);

async function post(path: string, search: string, body: string | Uint8Array = "", type?: string) {
  const target = search === "" ? path : `${path}?${search}`;
  const headers = type === undefined ? {} : { "content-type": type };
  const { status, text } = await invoke(handler, { method: "POST", target, headers, body }, "");
  const json = JSON.parse(text);
  const list = json.details?.map(({ field, type }: Record<string, string>) => `${field} ${type}`);
  return { status, json, errors: list?.join(", ") };
}

const form = "application/x-www-form-urlencoded";

describe("parameters in a query or a body", () => {
  it.each([
    ["the query", "a=1&b=2", "", undefined],
    ["a JSON object without a content type", "", '{"a":"1","b":"2","c":null}', undefined],
    ["a JSON object with a form's content type", "", '{"a":"1","b":"2"}', form],
    ["a form with a charset", "", "a=1&b=2", `${form.toUpperCase()}; charset=UTF-8`],
    ["a form with repeated names", "", "a=0&a=1&b=2", form],
    ["the query and a JSON object", "a=1", '{"b":"2"}', "application/json"],
    ["the query rather than a form", "a=1", "a=9&b=2", form],
    ["the query if the body is invalid JSON", "a=1&b=2", "{", "application/json"],
    ["the query if the body is invalid UTF-8", "a=1&b=2", new Uint8Array([0xff]), form],
  ])("are read from %s", async (_, search, body, type) => {
    expect(await post("/both", search, body, type)).toMatchObject({ status: 200, json: { a: "1", b: "2" } });
  });

  it.each([
    ["no body", "", "", undefined, "query.a missing, query.b missing"],
    ["null", "", "null", undefined, "body.a missing, body.b missing"],
    ["an object without one of them", "a=1", "{}", undefined, "body.b missing"],
    ["an object with an array", "b=2", '{"a":["1"]}', undefined, "body.a invalid_type"],
    ["an object with null", "", '{"a":null,"b":"2"}', undefined, "body.a invalid_type"],
    ["a form with a prototype", "", "__proto__=1", form, "body.a missing, body.b missing"],
    ["invalid JSON", "a=1", "{", undefined, "query.b missing, body json_invalid"],
    ["a JSON array", "a=1", "[]", undefined, "query.b missing, body invalid_type"],
    ["a form without a content type", "a=1", "b=2", undefined, "query.b missing, body json_invalid"],
    ["invalid UTF-8", "a=1", new Uint8Array([0xff]), form, "query.b missing, body utf8_invalid"],
    ["a query, the only place by default", "a=1", '{"b":"2"}', undefined, "query.b missing", "/query"],
  ])("are missing or invalid in %s", async (_, search, body, type, errors, path = "/both") => {
    expect(await post(path, search, body, type)).toMatchObject({ status: 422, errors });
  });
});

it.each(["/query-with-secrets", "/body-with-secrets", "/token"])("%s repeats no query", async (path) => {
  const { status, json } = await post(path, "a=1&b=hunter2");
  expect(status).toBe(500);
  expect(json.path).toBe(`http://api.example.com${path}`);
});
