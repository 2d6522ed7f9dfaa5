import { describe, expect, it } from "vitest";
import * as z from "zod";
import { definitions } from "../../../functions/definitions.ts";
import type { JsonSchema, MediaType } from "../../../infra/openapi/model.ts";
import { isBytes } from "../../../lib/http/route.ts";
import { document, operation, ref, response, validatorOf } from "../../support/infra/openapi.ts";
import { routes } from "../../support/own-access.ts";

const schemas = Object.entries(document.components.schemas);
const declared = Object.values(definitions).flatMap(({ examples = {} }) => Object.keys(examples));

const examples = schemas.flatMap(([name, { examples = [] }]) =>
  examples.map((each) => [name, each] as const),
);

const errors = routes.flatMap(({ key }) =>
  Object.keys(operation(key).responses)
    .map((status) => [key, Number(status)] as const)
    .filter(([, status]) => status >= 400 && response(key, status).content?.["application/json"]),
);

function expectValid(schema: JsonSchema, example: unknown): void {
  expect(z.safeParse(validatorOf(schema), example).error).toBeUndefined();
}

function expectValidExamples({ schema, example, examples = { only: { value: example } } }: MediaType): void {
  expect(examples).not.toEqual({});
  for (const { value } of Object.values(examples)) expectValid(schema, value);
}

describe("an example", () => {
  it("exists for every object", () => {
    const without = schemas.filter(([, { type, examples }]) => type === "object" && !examples);

    expect(without.map(([name]) => name)).toEqual([]);
    expect(declared.filter((name) => !document.components.schemas[name])).toEqual([]);
  });

  it.each(examples)("of %s is valid", (name, example) => {
    expectValid(ref(name), example);
    const validator = z.globalRegistry._idmap.get(name);
    if (validator) expect(z.safeParse(validator, example).error).toBeUndefined();
  });

  it.each(routes)("of the request $key is valid, with all that the route requires", ({ key }) => {
    const { parameters = [], requestBody } = operation(key);
    const json = requestBody?.content["application/json"];
    expect(parameters.filter(({ required, example }) => required && example === undefined)).toEqual([]);
    for (const { schema, example } of parameters) if (example !== undefined) expectValid(schema, example);
    if (json) expectValid(json.schema, json.example);
  });

  const succeeding = routes.filter((route) => Object.keys(route.responses).length > 0);
  it.each(succeeding)("of each success of $key is valid, except of files", ({ key, responses }) => {
    for (const [status, validator] of Object.entries(responses)) {
      const [media] = Object.values(response(key, Number(status)).content ?? {});
      if (media && !isBytes(validator)) expectValidExamples(media);
    }
  });

  it.each(errors)("of the error %s %i exists and is valid", (key, status) => {
    expectValidExamples(response(key, status).content?.["application/json"] as MediaType);
  });

  const withUnions = routes.filter(({ responses }) => responses[200] instanceof z.core.$ZodUnion);
  it.each(withUnions)("of each response of $key matches exactly one of its schemas", ({ key, responses }) => {
    const media = response(key, 200).content?.["application/json"];
    const name = media?.schema.$ref?.replace(/.*\//, "") ?? "";
    const alternatives = document.components.schemas[name]?.oneOf ?? [];
    const options = responses[200] instanceof z.core.$ZodUnion ? responses[200]._zod.def.options : [];

    expect(alternatives).toHaveLength(options.length);
    expect(Object.keys(media?.examples ?? {})).toHaveLength(options.length);
    for (const { value } of Object.values(media?.examples ?? {})) {
      expect(options.filter((option) => z.safeParse(option, value).success)).toHaveLength(1);
      expect(alternatives.filter((each) => z.safeParse(validatorOf(each), value).success)).toHaveLength(1);
    }
  });
});
