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
    const tagOf = async (coding: string) =>
      (await api.get(path, accepting(coding))).headers.get("etag") ?? "";
    const [br, ...others] = [await tagOf("br"), await tagOf("gzip"), await tagOf("identity")] as const;

    expect(new Set([br, ...others]).size).toBe(3);
    for (const tag of [br, ...others]) {
      const { status, headers } = await api.get(path, { headers: { "if-none-match": tag } });
      expect([status, headers.get("content-encoding")]).toEqual([304, null]);
    }
    expect(await api.delete(path, { headers: { "if-match": br } })).toMatchObject({ status: 204 });
  });

  it("of an error is compressed too", async () => {
    const { status, body, headers } = await api.post("/users/batch", Array(25).fill({}), accepting("gzip"));
    expect([status, body.details.length]).toEqual([422, 75]);
    expect(headers.get("content-encoding")).toBe("gzip");
  });
});
