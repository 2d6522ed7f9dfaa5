import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { definitions } from "../../../functions/definitions.ts";
import { openApiDocument } from "../../../infra/openapi/document.ts";
import type { JsonSchema } from "../../../infra/openapi/model.ts";
import { ApiError } from "../../../lib/domain/errors.ts";
import { type Route, response, routeBuilder } from "../../../lib/http/route.ts";
import { named, withMetadata } from "../../../lib/validators/metadata.ts";
import { expectGenerated } from "../../support/generated.ts";
import { document, documentFiles } from "../../support/infra/openapi.ts";
import { routes } from "../../support/own-access.ts";

function fieldsOf({ properties = {}, items, anyOf = [] }: JsonSchema): [string, JsonSchema][] {
  const fields = Object.entries(properties);
  const parts = [...fields.map(([, field]) => field), ...(items ? [items] : []), ...anyOf];
  return [...fields, ...parts.flatMap(fieldsOf)];
}

describe("the OpenAPI document", () => {
  it.each(Object.entries(documentFiles()))("is as %s says", expectGenerated);

  it("uses every description of a field that an area has", () => {
    const used = Object.entries(document.components.schemas).flatMap(([schemaName, schema]) =>
      fieldsOf(schema).flatMap(([field, { description }]) =>
        [field, `${schemaName}.${field}`].map((name) => `${name}: ${description}`),
      ),
    );
    const described = Object.values(definitions).flatMap(({ fields = {} }) => Object.entries(fields));
    const texts = described.map(([name, text]) => `${name}: ${text}`);
    expect(texts.filter((text) => !used.includes(text))).toEqual([]);
  });

  it("has operation ids in camel case", () => {
    const names = routes.map(({ operationId }) => operationId);
    expect(names.filter((name) => !/^[a-z]+([A-Z][a-z0-9]*)*$/.test(name))).toEqual([]);
  });
});

describe("a declaration", () => {
  const route = routeBuilder<unknown>({ tag: "accounts", errorFormat: "error" });
  const routeOf = (changes: Partial<Route> = {}, key: `GET /${string}` = "GET /a") => ({
    ...route(key, {
      operationId: "getIt",
      summary: "Get",
      description: "For the tests.",
      responses: { 200: withMetadata(z.string(), { examples: [""] }) },
      handle: async () => response(200, ""),
    }),
    ...changes,
  });
  const withSchema = (schema: z.ZodMiniType) => routeOf({ responses: { 200: schema } });
  const example = new ApiError("Forbidden", "No");
  const longer = named("Twice", z.string().check(z.minLength(1)));

  it.each([
    ["named getIt", [routeOf(), routeOf({}, "GET /b")]],
    [
      "NoExample has no example: add one to the examples of its area.ts",
      [withSchema(named("NoExample", z.object({ name: z.string() })))],
    ],
    [
      ".unheard has no description: add one to the fields of its area.ts",
      [withSchema(z.array(z.object({ unheard: z.string() })))],
    ],
    [
      "Two schemas are named Twice",
      [
        withSchema(withMetadata(z.string(), { id: "Twice", examples: [""] })),
        routeOf({ operationId: "getOther", responses: { 200: longer } }, "GET /b"),
      ],
    ],
    ["The tag none has no description: add one to the tags of its area.ts", [routeOf({ tag: "none" })]],
    [
      "The header x-none has no description: add one to infra/openapi/headers.ts",
      [routeOf({ responseHeaders: { 200: ["x-none"] } })],
    ],
    ["getIt has no description", [routeOf({ description: " " })]],
    [
      "The parameter id of getIt has no description",
      [routeOf({ request: { path: z.object({ id: z.string() }) } }, "GET /a/{id}")],
    ],
    ["getIt declares Forbidden with 404", [routeOf({ errors: { 404: { when: "Always", example } } })]],
  ])("is rejected: %s", (message, declared) => {
    expect(() => openApiDocument(declared)).toThrow(message);
  });
});
