import { describe, expect, it } from "vitest";
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
    let reads = 0;
    const { api } = setUp(async () => {
      reads += 1;
      return "key";
    });
    await api.get("/api/protected");
    await api.get("/api/nothing", withKey(""));
    expect(reads).toBe(0);

    for (let i = 0; i < 5; i += 1) await api.get("/api/protected", withKey(`wrong ${i}`));
    expect(reads).toBe(1);
  });

  it("that cannot be read are a 503, not a 401", async () => {
    const { api } = setUp(async () => {
      throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    });
    const unavailable = { status: 503, body: { error: expect.any(String) } };

    expect(await api.get("/api/protected", withKey("key"))).toMatchObject(unavailable);
    expect((await api.get("/api/nothing", withKey("key"))).headers.get("retry-after")).toMatch(/\d/);
  });
});
