import { describe, expect, it } from "vitest";
import { api } from "../../support/api/target.ts";
import { isRemoved } from "../../support/data/stored-items.ts";
import { document } from "../../support/infra/openapi.ts";
import { codeBlocksOf } from "../../support/markdown.ts";

/** A request and its response in docs/errors.md: two lines. */
const examples = codeBlocksOf("docs/errors.md", "http").flatMap((block) => [
  ...block.matchAll(/^([A-Z]+) (\S+)(?: (.+))?\n(\d+)(?: (.+))?\n/gm),
]);

/** The page may still have requests of areas that were removed. */
const sendable = examples.filter(([, , target = ""]) => !isRemoved(target));

/** No request can provoke this one. */
const [unexpected = ""] = codeBlocksOf("docs/errors.md", "json");

describe("docs/errors.md", () => {
  it("has an example of each shape", () => {
    const bodies = examples.map(([, , , , , body = "null"]) => body);
    const shapes = [...bodies, unexpected].map((body) => Object.keys(JSON.parse(body) ?? {}).join());

    const structured = ["path", "details", "field"].map((name) => `error,message,${name}`);
    const others = ["error", "detail", "success,data,error", ""];
    expect(new Set(shapes)).toEqual(new Set([...structured, ...others]));
  });

  it("has the body of an unexpected error as the document has it", () => {
    expect(JSON.parse(unexpected)).toEqual(document.components.schemas.InternalServerError?.examples?.[0]);
  });

  it.each(sendable.map(([text, ...parts]) => ({ text, parts })))("$text", async ({ parts }) => {
    const [method = "", target = "", sent, status, expected = ""] = parts;
    const response = await api.send(method, target, sent);
    expect(response.status).toBe(Number(status));
    expect(response.text.replace(/https?:\/\/[^/"]+/, "http://localhost:8080")).toBe(expected);
  });
});
