import { expect, it } from "vitest";
import { operation, ref, response, schemaOf } from "../../support/infra/openapi.ts";

it("documents the structured errors of items, and how long an item may be cached", () => {
  expect(schemaOf("GET /items/{item_id}", 404)).toEqual(ref("StructuredError"));
  expect(schemaOf("GET /items", 503)).toEqual(ref("StructuredError"));
  expect(operation("GET /items/{item_id}").responses).toHaveProperty("422");
  expect(response("GET /items/{item_id}", 200).headers).toHaveProperty("cache-control");
});
