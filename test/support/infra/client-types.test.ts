import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../infra/openapi/model.ts";
import { schemaType } from "./client-types.ts";

describe("the client's types", () => {
  it.each<[JsonSchema, string]>([
    [{ type: "integer", minimum: 1 }, "number"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ enum: ["a", "b"], type: "string" }, '"a" | "b"'],
    [{ const: false, type: "boolean" }, "false"],
    [{ $ref: "#/components/schemas/Todo" }, 'Schemas["Todo"]'],
    [{ type: "array", items: { $ref: "#/components/schemas/Todo" } }, 'Schemas["Todo"][]'],
    [{ type: "array", items: { type: ["string", "null"] } }, "(string | null)[]"],
    [{ type: "array" }, "unknown[]"],
    [{ oneOf: [{ type: "string" }, { type: "number" }, { type: "integer" }] }, "string | number"],
    [{ type: "object" }, "{\n  [name: string]: unknown;\n}"],
    [
      {
        type: "object",
        properties: { "a-b": { type: "string", description: "Says */" }, c: { type: "null" } },
      },
      '{\n  /** Says * / */\n  "a-b"?: string;\n  c?: null;\n}',
    ],
    [
      { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: true },
      "{\n  a: string;\n  [name: string]: unknown;\n}",
    ],
    [
      {
        type: "object",
        propertyNames: { enum: ["a", "b"], type: "string" },
        additionalProperties: { type: "integer" },
      },
      '{ [name in "a" | "b"]?: number }',
    ],
    ...(
      [
        [
          { type: "integer", minimum: 0, maximum: 150, description: "In years" },
          "In years (minimum 0, maximum 150)",
        ],
        [
          { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 10 },
          "(minimum 1, default 10)",
        ],
        [{ type: "string", minLength: 3, pattern: "^a*/$" }, "(minLength 3, pattern ^a* /$)"],
        [
          { type: "array", maxItems: 9, items: { type: "string", maxLength: 5 } },
          "(maxItems 9, each maxLength 5)",
        ],
        [{ type: "string", format: "date-time" }, "(format date-time)"],
        [{ type: "integer", format: "int64", exclusiveMinimum: 0 }, "(exclusiveMinimum 0)"],
      ] as [JsonSchema, string][]
    ).map(([a, text]): [JsonSchema, string] => [
      { type: "object", properties: { a } },
      `{\n  /** ${text} */\n  a?: ${schemaType(a)};\n}`,
    ]),
  ])("write %j as %s", (schema, type) => {
    expect(schemaType(schema)).toBe(type);
  });

  it.each<[JsonSchema]>([[{}], [{ type: "file" }]])("reject the unsupported schema %j", (schema) => {
    expect(() => schemaType(schema)).toThrow("Unsupported");
  });
});
