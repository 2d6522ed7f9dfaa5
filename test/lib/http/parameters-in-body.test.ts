import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createHandler } from "../../../lib/http/handler.ts";
import { response, routeBuilder } from "../../../lib/http/route.ts";
import { textParameter } from "../../../lib/validators/parameter.ts";
import { invoke } from "../../support/invoke.ts";

const declare = routeBuilder<unknown>({ tag: "test", errorFormat: "detail" });
const query = z.object({ a: textParameter(z.string()), b: textParameter(z.string()) });
const echo = {
  operationId: "test",
  summary: "echo",
  description: "For the tests.",
  query,
  responses: { 200: query },
} as const;
const handler = createHandler(
  [
    declare("POST /both", {
      ...echo,
      queryInBody: true,
      handle: async (request) => response(200, request.query),
    }),
    declare("POST /query", { ...echo, handle: async (request) => response(200, request.query) }),
    declare("POST /defect", {
      ...echo,
      secretQuery: true,
      handle: async () => {
        throw new Error("a defect");
      },
    }),
  ],
  () => undefined,
);

async function post(path: string, search: string, body: string | Uint8Array = "", type?: string) {
  const target = search === "" ? path : `${path}?${search}`;
  const headers = type === undefined ? {} : { "content-type": type };
  const { status, text } = await invoke(handler, { method: "POST", target, headers, body }, "");
  const json = JSON.parse(text);
  const failed = json.details?.map(({ field, type }: Record<string, string>) => [field, type]);
  return { status, json, failed };
}

const form = "application/x-www-form-urlencoded";

describe("parameters that a body may carry", () => {
  it.each([
    ["the query alone", "a=1&b=2", "", undefined],
    ["a JSON object", "", '{"a":"1","b":"2"}', "application/json"],
    ["a JSON object of no type", "", '{"a":"1","b":"2","c":null}', undefined],
    ["a JSON object that says it is a form", "", '{"a":"1","b":"2"}', form],
    ["a form", "", "a=1&b=2", form],
    ["a form with a charset", "", "a=1&b=2", `${form}; charset=UTF-8`],
    ["a form in capitals", "", "a=1&b=2", form.toUpperCase()],
    ["a form whose names are repeated", "", "a=0&a=1&b=2", form],
    ["one in each", "a=1", '{"b":"2"}', "application/json"],
    ["one in each, as a form", "b=2", "a=1", form],
    ["the query before a JSON object", "a=1&b=2", '{"a":"9","b":"9"}', "application/json"],
    ["the query before a form", "a=1", "a=9&b=2", form],
    ["the query whatever the body is", "a=1&b=2", "{", "application/json"],
    ["the query whatever bytes the body is", "a=1&b=2", new Uint8Array([0xff]), form],
    ["the query over null", "a=1&b=2", "null", "application/json"],
  ])("come from %s", async (_, search, body, type) => {
    expect(await post("/both", search, body, type)).toMatchObject({ status: 200, json: { a: "1", b: "2" } });
  });

  it.each([
    [
      "nothing",
      "",
      "",
      undefined,
      [
        ["query.a", "missing"],
        ["query.b", "missing"],
      ],
    ],
    [
      "null",
      "",
      "null",
      undefined,
      [
        ["query.a", "missing"],
        ["query.b", "missing"],
      ],
    ],
    ["one of them", "a=1", "{}", undefined, [["query.b", "missing"]]],
    ["a number", "", '{"a":1,"b":"2"}', undefined, [["body.a", "invalid_type"]]],
    ["a list", "b=2", '{"a":["1"]}', undefined, [["body.a", "invalid_type"]]],
    ["null for one", "", '{"a":null,"b":"2"}', undefined, [["body.a", "invalid_type"]]],
    [
      "a prototype",
      "",
      '{"__proto__":{"a":"1","b":"2"}}',
      undefined,
      [
        ["query.a", "missing"],
        ["query.b", "missing"],
      ],
    ],
    [
      "a prototype in a form",
      "",
      "__proto__=1",
      form,
      [
        ["query.a", "missing"],
        ["query.b", "missing"],
      ],
    ],
    [
      "broken JSON",
      "a=1",
      "{",
      undefined,
      [
        ["query.b", "missing"],
        ["body", "json_invalid"],
      ],
    ],
    [
      "a JSON list",
      "a=1",
      "[]",
      undefined,
      [
        ["query.b", "missing"],
        ["body", "invalid_type"],
      ],
    ],
    [
      "a JSON text",
      "a=1",
      '"b=2"',
      undefined,
      [
        ["query.b", "missing"],
        ["body", "invalid_type"],
      ],
    ],
    [
      "a form of no type",
      "a=1",
      "b=2",
      undefined,
      [
        ["query.b", "missing"],
        ["body", "json_invalid"],
      ],
    ],
    [
      "bytes",
      "a=1",
      new Uint8Array([0xff]),
      form,
      [
        ["query.b", "missing"],
        ["body", "utf8_invalid"],
      ],
    ],
  ])("are missed or refused in %s", async (_, search, body, type, failed) => {
    expect(await post("/both", search, body, type)).toMatchObject({ status: 422, failed });
  });

  it("come from nowhere but the query where the route does not say so", async () => {
    expect(await post("/query", "a=1", '{"b":"2"}', "application/json")).toMatchObject({
      status: 422,
      failed: [["query.b", "missing"]],
    });
  });
});

it("a secret query is repeated by no answer", async () => {
  const { status, json } = await post("/defect", "a=1&b=hunter2");

  expect(status).toBe(500);
  expect(json.path).toBe("http://api.example.com/defect");
});
