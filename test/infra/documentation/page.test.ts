import { describe, expect, it } from "vitest";
import { allRoutes } from "../../../functions/definitions.ts";
import { html } from "../../../infra/documentation/html.ts";
import { jsonTokens } from "../../../infra/documentation/json-tokens.ts";
import { documentationPage } from "../../../infra/documentation/page.ts";
import { boundsOf, typeOf } from "../../../infra/documentation/schema.ts";
import { openApiDocument } from "../../../infra/openapi/document.ts";
import type { JsonSchema } from "../../../infra/openapi/model.ts";

const document = openApiDocument(allRoutes);
const page = documentationPage(document);
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

describe("the documentation page", () => {
  it("has every operation and schema once, without scripts, and no link that leads nowhere", () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const schemas = Object.keys(document.components.schemas).map((name) => `schema-${name}`);
    const expected = [...operations.map(({ operationId }) => operationId), ...schemas];
    expect(ids).toEqual(expect.arrayContaining(expected));
    expect(new Set(ids).size).toBe(ids.length);
    const anchors = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, anchor]) => anchor);
    expect(anchors.filter((anchor) => !ids.includes(anchor))).toEqual([]);
  });

  it("says once what every operation can respond, and links it there", () => {
    expect(page.match(/More than 10 KB of request line and headers/g)).toHaveLength(1);
    expect(page.match(/ href="#response-431GatewayError"/g)).toHaveLength(allRoutes.length);
    expect(page).not.toContain("Headers: </p>");
  });

  it("says which operations need a token or a key", () => {
    const [notes = ""] = /<form class="operation" id="getOwnAccount".*?<\/p>/s.exec(page) ?? [];
    expect(notes).toContain("needs a token");
    const withKey = operations.filter(({ security = [] }) => "apiKey" in (security[0] ?? {}));
    expect(page.match(/needs the API key/g)).toHaveLength(withKey.length);
  });
});

const user = { $ref: "#/components/schemas/User" };

it.each<[JsonSchema, string]>([
  [{ type: "string", minLength: 1, maxLength: 200 }, "string · 1 to 200 characters"],
  [{ type: "string", minLength: 1 }, "string · at least 1 character"],
  [{ type: ["string", "null"], pattern: "^a" }, "string or null · matches ^a"],
  [{ type: "integer", minimum: 0, maximum: 150, format: "int64" }, "integer · 0 to 150"],
  [{ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, "integer · at least 1"],
  [{ type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, "integer"],
  [{ type: "number", minimum: 1e-9, maximum: 1e12 }, "number · 0.000000001 to 1,000,000,000,000"],
  [{ type: "number", exclusiveMinimum: 0, format: "double" }, "number · above 0"],
  [{ type: "string", format: "date-time" }, "string · date-time"],
  [{ type: "string", enum: ["asc", "desc"], default: "asc" }, "string · one of asc, desc · default asc"],
  [{ type: "boolean", const: false }, "boolean · always false"],
  [{ type: "array", maxItems: 25, items: user }, "array of User · at most 25 items"],
  [
    { type: ["array", "null"], items: { type: "string", maxLength: 50 } },
    "array of string or null · each at most 50 characters",
  ],
  [{ anyOf: [user, { type: "null" }] }, "User or null"],
  [{ type: "object", additionalProperties: { type: "integer" } }, "object of integer"],
])("the schema %j is shown as %s", (schema, shown) => {
  const html = [typeOf(schema), ...boundsOf(schema)].map(({ text }) => text).join(" · ");
  expect(html.replaceAll(/<[^>]*>/g, "")).toBe(shown);
});

it("HTML has values escaped, and pieces of HTML not", () => {
  const made = html`<p title="${`"'&`}">${"<b>"}${html`<i>${1}</i>`}${[html`a`, html`b`]}${undefined}</p>`;
  expect(made.text).toBe('<p title="&quot;&#39;&amp;">&lt;b&gt;<i>1</i>ab</p>');
});

it("coloured JSON is the same text, and ends with a string in which it was cut off", () => {
  const json = JSON.stringify({ 'a"\\': [1.5e-7, -2, true, null, "x: 1", "\\"], b: {} }, undefined, 2);
  const tokens = jsonTokens(json);
  expect(tokens.map(({ text }) => text).join("")).toBe(json);
  const ofKind = (wanted: string) => tokens.flatMap(({ kind, text }) => (kind === wanted ? [text] : []));
  expect(ofKind("name")).toEqual(['"a\\"\\\\"', '"b"']);
  expect(ofKind("literal")).toEqual(["1.5e-7", "-2", "true", "null"]);

  const cut = `["a", "${String.raw`\"`.repeat(30_000)}\\`;
  expect(jsonTokens(cut).map(({ text }) => text)).toEqual(["[", '"a"', ", ", cut.slice(6)]);
});
