import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../infra/openapi/model.ts";
import { schemaType } from "./client-types.ts";

/** What the document does not have today: client/openapi.d.ts shows the rest. */
describe("the client's types", () => {
  it.each<[JsonSchema, string]>([
    [{ type: "array", items: { type: ["string", "null"] } }, "(string | null)[]"],
    [{ type: "array" }, "unknown[]"],
    [{ oneOf: [{ type: "string" }, { type: "number" }, { type: "integer" }] }, "string | number"],
    [
      {
        type: "object",
        properties: { "a-b": { type: "string", description: "Says */", pattern: "^a*/$" } },
        additionalProperties: true,
      },
      '{\n  /** Says * / (pattern ^a* /$) */\n  "a-b"?: string;\n  [name: string]: unknown;\n}',
    ],
  ])("write %j as %s", (schema, type) => {
    expect(schemaType(schema)).toBe(type);
  });

  it.each<[JsonSchema]>([[{}], [{ type: "file" }]])("reject the unsupported schema %j", (schema) => {
    expect(() => schemaType(schema)).toThrow("Unsupported");
  });
});
