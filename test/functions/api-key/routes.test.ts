import { describe, expect, it, vi } from "vitest";
import { notFoundHandler, routes } from "../../../functions/api-key/routes.ts";
import { cachedSecret } from "../../../lib/auth/secrets.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { clientOf } from "../../support/api/invoke.ts";

function setUp(read: () => Promise<string>) {
  const clock = { now: 1_000_000 };
  const keys = cachedSecret(read, () => clock.now);
  return { clock, api: clientOf(createHandler(routes, () => () => ({ keys }), notFoundHandler)) };
}

const withKey = (key: string) => ({ headers: { "x-api-key": key } });

describe("the static keys", () => {
  it("are read again for an unknown key", async () => {
    let secret = "old";
    const { api, clock } = setUp(async () => secret);
    await api.get("/api/protected", withKey("old"));
    secret = "new,old";
    clock.now += 60_000;

    expect((await api.get("/api/protected", withKey("new"))).status).toBe(200);
    expect((await api.get("/api/protected", withKey("old"))).status).toBe(200);
  });

  it("are not read without a key, and once for many wrong ones", async () => {
    const read = vi.fn(async () => "key");
    const { api } = setUp(read);
    await api.get("/api/protected");
    await api.get("/api/nothing", withKey(""));
    expect(read).not.toHaveBeenCalled();

    for (let i = 0; i < 5; i += 1) await api.get("/api/protected", withKey(`wrong ${i}`));
    expect(read).toHaveBeenCalledOnce();
  });

  it("that cannot be read are a 503, not a 401", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const { api } = setUp(async () => Promise.reject(refused));
    for (const path of ["/api/protected", "/api/nothing"]) {
      const { status, body, headers } = await api.get(path, withKey("key"));
      expect([status, body]).toEqual([503, { error: expect.any(String) }]);
      expect(headers.get("retry-after")).toMatch(/\d/);
    }
  });
});
