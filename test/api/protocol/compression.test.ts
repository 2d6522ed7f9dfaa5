import { describe, expect, it } from "vitest";
import { api } from "../../support/api/target.ts";

const name = "é\u0001\u{1f9c0}".repeat(66);

async function withRecord(): Promise<string> {
  const { body } = await api.post("/users", { name, email: `${"é".repeat(300)}@example.com`, age: 36 });
  return `/users/${body.id}`;
}

const accepting = (coding: string) => ({ headers: { "accept-encoding": coding } });

describe("a large response", () => {
  it.each([
    ["br", "br"],
    ["gzip", "gzip"],
    ["identity", null],
  ])("to a client that accepts %s has the coding %s", async (accepted, coding) => {
    const { body, headers } = await api.get(await withRecord(), accepting(accepted));

    expect(body.data.name).toBe(name);
    expect(headers.get("content-encoding")).toBe(coding);
    expect(headers.get("vary")).toBe("accept-encoding");
    expect(headers.get("etag")).toMatch(
      coding === null ? /^"[\w-]+"$/ : new RegExp(`^"[\\w-]+\\.${coding}"$`),
    );
  });

  it("matches its entity tag in any coding", async () => {
    const path = await withRecord();
    const tags = await Promise.all(
      ["br", "gzip", "identity"].map(async (coding) =>
        (await api.get(path, accepting(coding))).headers.get("etag"),
      ),
    );

    const ifMatch = (tag: string | null = "") => ({ headers: { "if-match": tag ?? "" } });

    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) {
      const { status, headers } = await api.get(path, { headers: { "if-none-match": tag ?? "" } });
      expect(status).toBe(304);
      expect(headers.get("content-encoding")).toBeNull();
      expect(await api.delete(`${path}0000000000`, ifMatch(tag))).toMatchObject({ status: 404 });
    }
    expect(await api.delete(path, ifMatch(tags[0]))).toMatchObject({ status: 204 });
  });

  it("of an error is compressed too", async () => {
    const { status, body, headers } = await api.post(
      "/users/batch",
      Array.from({ length: 25 }, () => ({})),
      accepting("gzip"),
    );
    expect(status).toBe(422);
    expect(body.details).toHaveLength(75);
    expect(headers.get("content-encoding")).toBe("gzip");
  });
});
