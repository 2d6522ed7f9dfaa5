import { expect, it } from "vitest";
import { document } from "../../support/infra/openapi.ts";

it("documents the defaults of a post's optional fields", () => {
  const { properties, required } = document.components.schemas.PostCreate ?? {};

  expect(properties?.status?.default).toBe("draft");
  expect(properties?.tags?.description).toContain("none by default");
  expect(required).toEqual(["title", "content"]);
});
