import { describe, expect, it, vi } from "vitest";
import { expectDocumentedError } from "../support/api/documented-error.ts";
import { expectInvalid } from "../support/api/expect-invalid.ts";
import { linksOf, locationOf } from "../support/api/links.ts";
import { api } from "../support/api/target.ts";
import { UNKNOWN_ID } from "../support/data/values.ts";

async function store(text: string | Uint8Array) {
  const response = await api.send("POST", "/items/", text);
  expect(response.status).toBe(201);
  const location = locationOf(response);
  return { echo: response.text, location, id: Number(location.replace("/items/", "")) };
}

function nested(levels: number): string {
  return `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
}

describe("POST /items/", () => {
  it("echoes the object, which its location returns with its id, and which caches keep a minute", async () => {
    const object = { name: "Lamp", sizes: [1, 2] };
    const response = await api.post("/items/", object);
    expect(response).toMatchObject({ status: 201, body: object });
    const [, id] = /^\/items\/([1-9]\d*)$/.exec(locationOf(response)) ?? [];
    const { body, headers } = await api.get(`/items/${id}`);
    expect(body).toEqual({ item_id: Number(id), ...object });
    expect(headers.get("cache-control")).toBe("max-age=60");
  });

  it.each([
    ["white space", ' {\n\t"a" : 1 }\r\n'],
    ["numbers as written", '{"a":1.0,"b":1e400,"c":-0,"d":12345678901234567890,"e":0.1e-7}'],
    ["special names of JavaScript", '{"__proto__":{"name":"x"},"constructor":1,"toString":null}'],
    ["escapes", '{"a":"\\u00e9\\/\\ud800","\\u0062":"\\n"}'],
    ["characters of every length", '{"é":"€😀\u0000"}'.replace("\u0000", "\\u0000")],
    ["its own id", '{"id":5,"size":null}'],
    ["500 levels", nested(500)],
    ["100 KB", `{"a":"${"é".repeat(51_196)}"}`],
    ["a name of 1,000 characters", `{"name":"${"🧀".repeat(1_000)}"}`],
    ["a long name that is no text", `{"name":["${"x".repeat(1_001)}"]}`],
  ])("stores %s", async (_, text) => {
    const { echo, id } = await store(text);
    const { text: stored } = await api.get(`/items/${id}`);
    expect(echo).toBe(text);
    expect(stored).toBe(`{"item_id":${id},${text.trim().slice(1)}`);
  });

  it.each<[string, string | undefined, string, string?]>([
    ["no body", undefined, "missing"],
    ["incomplete JSON", '{"a":', "json_invalid"],
    ["null", "null", "invalid_type"],
    ["501 levels", nested(501), "too_deep"],
    ["50,000 levels", nested(50_000), "too_deep"],
    ["levels that a later member overrides", `{"a":${nested(501)},"a":1}`, "too_deep"],
    ["more than 100 KB", `{"a":"${"é".repeat(51_196)}" }`, "too_big"],
    ["a name of more than 1,000 characters", `{"name":"${"🧀".repeat(1_001)}"}`, "too_big", "body.name"],
  ])("rejects %s", async (_, text, type, field = "body") => {
    expectInvalid(await api.send("POST", "/items/", text), [`${field} ${type}`]);
  });
});

it("GET /items/{item_id} replaces members named item_id, even with escapes, by the id", async () => {
  const text = '{"item_id":"mine","a":{"item_id":1},"item\\u005fid":2}';
  const { id, echo } = await store(text);
  expect(echo).toBe(text);
  expect((await api.get(`/items/${id}`)).text).toBe(`{"item_id":${id},"a":{"item_id":1}}`);
});

describe("GET /items", () => {
  /** The items on the last two pages. */
  async function lastItems(size: number) {
    const { body } = await api.get("/items", { query: { size } });
    const pages = await Promise.all(
      [body.pages - 1, body.pages].map((page) => api.get("/items", { query: { size, page: page || 1 } })),
    );
    return pages.flatMap((page) => page.body.items) as { id: number; name: string }[];
  }

  it("returns a page of ids and names in id order", async () => {
    for (let i = 0; i < 11; i += 1) await store("{}");
    // Other specs may delete an item of the page while it is read.
    await vi.waitFor(async () => {
      const { body } = await api.get("/items");
      const { items, total } = body;
      const ids = items.map(({ id }: { id: number }) => id);

      expect(body).toEqual({ items, total, page: 1, size: 10, pages: Math.ceil(total / 10) });
      expect(ids).toHaveLength(10);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
    }, 100_000);
  });

  it.each([
    ["a string", '{"name":"Lamp"}', "Lamp"],
    ["the last of several", '{"name":"a","name":"b"}', "b"],
    ["a lone surrogate", '{"name":"\\ud800"}', "\ud800"],
    ["a string that looks like JSON", '{"name":"{\\"a\\":1}"}', '{"a":1}'],
    ["a number", '{"name":5}', ""],
    ["absent", '{"__proto__":{"name":"x"}}', ""],
  ])("lists a name that is %s", async (_, text, name) => {
    const { id } = await store(text);
    expect(await lastItems(100)).toContainEqual({ id, name });
  });

  it.each([{ page: 1_000_000 }, { page: UNKNOWN_ID, size: 100 }])("has no items on %j", async (query) => {
    const body = { items: [], page: query.page };
    expect(await api.get("/items", { query })).toMatchObject({ status: 200, body });
  });

  it.each([
    ["page", "0", "too_small"],
    ["size", "0", "too_small"],
    ["size", "101", "too_big"],
  ])("rejects %s=%s", async (name, value, type) => {
    expectInvalid(await api.get("/items", { query: { [name]: value } }), [`query.${name} ${type}`]);
  });

  it("links to the other pages", async () => {
    for (let i = 0; i < 3; i += 1) await store("{}");
    const response = await api.get("/items?size=1&page=2");

    expect(linksOf(response)).toEqual({
      next: "/items?size=1&page=3",
      prev: "/items?size=1&page=1",
      first: "/items?size=1&page=1",
      last: `/items?size=1&page=${response.body.pages}`,
    });
  });
});

it("an error of items is as the document says", async () => {
  expectDocumentedError("GET /items/{item_id}", 404, await api.get(`/items/${UNKNOWN_ID}`));
  expectDocumentedError("POST /items/", 422, await api.post("/items/"));
});

it("an error of items has a code, a message and the whole URL", async () => {
  const { location } = await store("{}");
  const response = await api.delete(`${location}?a=b`, { headers: { "if-match": '"another"' } });
  const path = expect.stringMatching(`^https?://[^/]+${location}\\?a=b$`);
  const body = { error: "PreconditionFailed", message: expect.any(String), path };
  expect(response).toMatchObject({ status: 412, body });
});
