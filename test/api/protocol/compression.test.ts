import { describe, expect, it } from "vitest";
import { api } from "../../support/api/target.ts";

async function withItem(text: string): Promise<string> {
  const { headers } = await api.post("/items/", { text });
  return headers.get("location") ?? expect.unreachable();
}

const accepting = (coding: string) => ({ headers: { "accept-encoding": coding } });

describe("a large response", () => {
  it.each([
    ["br", "br"],
    ["gzip", "gzip"],
    ["gzip;q=0.1, br;q=0", "gzip"],
    ["identity", null],
    ["br;q=0", null],
  ])("to a client that accepts %s has the coding %s", async (accepted, coding) => {
    const text = "é\u0001\u{1f9c0}".repeat(1_000);
    const path = await withItem(text);
    const { body, headers } = await api.get(path, accepting(accepted));

    expect(body.text).toBe(text);
    expect(headers.get("content-encoding")).toBe(coding);
    expect(headers.get("vary")).toBe("accept-encoding");
    expect(headers.get("etag")).toMatch(
      coding === null ? /^"[\w-]+"$/ : new RegExp(`^"[\\w-]+\\.${coding}"$`),
    );
  });

  it("matches its entity tag in any coding", async () => {
    const path = await withItem("x".repeat(2_000));
    const tags = await Promise.all(
      ["br", "gzip", "identity"].map(async (coding) =>
        (await api.get(path, accepting(coding))).headers.get("etag"),
      ),
    );

    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) {
      const { status, headers } = await api.get(path, { headers: { "if-none-match": tag ?? "" } });
      expect(status).toBe(304);
      expect(headers.get("content-encoding")).toBeNull();
      expect(await api.delete(`${path}0000000000`, { headers: { "if-match": tag ?? "" } })).toMatchObject({
        status: 404,
      });
    }
    const headers = { "if-match": tags[0] ?? "" };
    expect(await api.delete(path, { headers })).toMatchObject({ status: 204 });
  });

  it("of an error is compressed too", async () => {
    const { status, body, headers } = await api.post(
      "/orders",
      Array.from({ length: 100 }, () => ({})),
      accepting("gzip"),
    );
    expect(status).toBe(422);
    expect(body.details).toHaveLength(200);
    expect(headers.get("content-encoding")).toBe("gzip");
  });
});

it("does not compress a small response", async () => {
  const { headers } = await api.get("/health", accepting("br"));
  expect(headers.get("content-encoding")).toBeNull();
  expect(headers.get("vary")).toBeNull();
});
