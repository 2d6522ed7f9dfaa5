import { expect, it } from "vitest";
import { response } from "../../support/infra/openapi.ts";

it("documents what both the product and the caller can miss", () => {
  expect(response("PUT /products/{product_id}", 404).description).toBe(
    "No product has this id. The token names a user that does not exist",
  );
});
