import { describe, expect, it } from "vitest";
import * as z from "zod";
import { examples } from "../../../infra/openapi/examples.ts";
import { document, response, routes } from "../../support/openapi.ts";

describe("an example", () => {
  const schemas = Object.entries(document.components.schemas);

  it("is given for every object", () => {
    const without = schemas.filter(([, { type, examples }]) => type === "object" && !examples);

    expect(without.map(([name]) => name)).toEqual([]);
    expect(Object.keys(examples).filter((name) => !document.components.schemas[name])).toEqual([]);
  });

  it.each(Object.entries(examples))("of %s fits its validator", (name, example) => {
    const schema = {
      $ref: `#/$defs/${name}`,
      $defs: JSON.parse(
        JSON.stringify(document.components.schemas).replaceAll("#/components/schemas/", "#/$defs/"),
      ),
    };
    const validators = [z.globalRegistry._idmap.get(name), z.fromJSONSchema(schema)];

    for (const validator of validators)
      if (validator) expect(z.safeParse(validator, example).error).toBeUndefined();
  });

  it.each([
    ["GET /products", ["ProductPage", "array"]],
    ["GET /users", ["array", "UsersV1", "UsersV2"]],
  ])("of each answer of %s is one of its shapes alone", (key, names) => {
    const media = response(key, 200).content?.["application/json"];
    const validator = routes.find(({ method, pattern }) => `${method} ${pattern}` === key)?.answers[200];
    const options = validator instanceof z.ZodUnion ? (validator.options as z.ZodType[]) : [];

    expect(media?.schema.oneOf).toHaveLength(names.length);
    expect(Object.keys(media?.examples ?? {})).toEqual(names);
    for (const { value } of Object.values(media?.examples ?? {}))
      expect(options.filter((option) => option.safeParse(value).success)).toHaveLength(1);
  });
});
