import { describe, expect, it } from "vitest";
import { expectDocumentedError } from "../../support/api/documented-error.ts";
import { protocols } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";
import { document } from "../../support/infra/openapi.ts";

const errors = Object.values(protocols).flatMap((area) => area.errors ?? []);

describe("the documented example", () => {
  it.each(errors)("of %s → %i is the actual response", async (key, status, send) => {
    expectDocumentedError(key, status, await send());
  });

  it.each([
    ["RouteNotFound", "GET", "/nowhere"],
    ["MethodNotAllowed", "PATCH", "/users"],
  ])("of %s is the actual response", async (name, method, path) => {
    const { content } = document.components.responses[name] ?? {};
    expect(content?.["application/json"]?.example).toEqual((await api.request(method, path)).body);
  });
});
