import { describe, expect, it } from "vitest";
import * as z from "zod";
import { definitions } from "../../../functions/definitions.ts";
import { isBytes } from "../../../lib/http/route.ts";
import { document, operation, ref, response, validatorOf } from "../../support/infra/openapi.ts";
import { routes } from "../../support/own-access.ts";

const declared = Object.values(definitions).flatMap(({ examples = {} }) => Object.keys(examples));

const examples = Object.entries(document.components.schemas).flatMap(([name, { examples = [] }]) =>
  examples.map((example) => [name, example] as const),
);

const errors = routes.flatMap(({ method, pattern }) => {
  const key = `${method} ${pattern}`;
  return Object.keys(operation(key).responses)
    .map((status) => [key, Number(status)] as const)
    .filter(([, status]) => status >= 400 && response(key, status).content?.["application/json"]);
});

describe("an example", () => {
  const schemas = Object.entries(document.components.schemas);

  it("exists for every object", () => {
    const without = schemas.filter(([, { type, examples }]) => type === "object" && !examples);

    expect(without.map(([name]) => name)).toEqual([]);
    expect(declared.filter((name) => !document.components.schemas[name])).toEqual([]);
  });

  it.each(examples)("of %s is valid", (name, example) => {
    const validators = [z.globalRegistry._idmap.get(name), validatorOf(ref(name))];

    for (const validator of validators)
      if (validator) expect(z.safeParse(validator, example).error).toBeUndefined();
  });

  it.each(routes.map(({ key }) => key))(
    "of the request %s is valid, with all that the route requires",
    (key) => {
      const { parameters = [], requestBody } = operation(key);
      const json = requestBody?.content["application/json"];
      const isComplete = parameters.every(({ required, example }) => !required || example !== undefined);

      expect(isComplete).toBe(true);
      for (const { schema, example } of parameters)
        if (example !== undefined) expect(z.safeParse(validatorOf(schema), example).error).toBeUndefined();
      if (json) expect(z.safeParse(validatorOf(json.schema), json.example).error).toBeUndefined();
    },
  );

  it.each(routes.filter((route) => Object.keys(route.responses).length > 0))(
    "of each success of $key is valid, except of files",
    ({ key, responses }) => {
      for (const [status, validator] of Object.entries(responses)) {
        const media = Object.values(response(key, Number(status)).content ?? {})[0];
        if (media === undefined || isBytes(validator)) continue;
        const examples = media.examples ? Object.values(media.examples) : [{ value: media.example }];
        for (const { value } of examples)
          expect(z.safeParse(validatorOf(media.schema), value).error).toBeUndefined();
      }
    },
  );

  it.each(errors)("of the error %s %i exists and is valid", (key, status) => {
    const media = response(key, status).content?.["application/json"];
    const examples = media?.examples ? Object.values(media.examples) : [{ value: media?.example }];

    expect(media?.examples).not.toEqual({});
    for (const { value } of examples)
      expect(z.safeParse(validatorOf(media?.schema ?? {}), value).error).toBeUndefined();
  });

  it.each(routes.filter(({ responses }) => responses[200] instanceof z.core.$ZodUnion))(
    "of each response of $key matches exactly one of its schemas",
    ({ key, responses }) => {
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
    },
  );
});
