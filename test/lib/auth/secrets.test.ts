import { describe, expect, it } from "vitest";
import { assertSecretReadable, cachedSecret } from "../../../lib/auth/secrets.ts";

const MINUTE = 60_000;
const unreachable = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

function setUp(value: string | Error = "one,two") {
  const store = { value, reads: 0, now: 1_000_000 };
  const values = cachedSecret(
    async () => {
      store.reads += 1;
      if (store.value instanceof Error) throw store.value;
      return store.value;
    },
    () => store.now,
  );
  return { store, values };
}

describe("a secret", () => {
  it("has values with commas between them, at least one", async () => {
    expect(await setUp(" one , two ,,\n").values()).toEqual(["one", "two"]);
    for (const text of ["", " , "])
      await expect(setUp(text).values()).rejects.toThrow("The secret has no value");
  });

  it("that is deleted or can't be read makes the service not ready, until it is back", async () => {
    const { store, values } = setUp();
    for (const error of [unreachable, Object.assign(new Error(), { name: "ResourceNotFoundException" })]) {
      store.value = error;
      await expect(assertSecretReadable(values)).rejects.toMatchObject({ code: "ServiceUnavailable" });
    }
    store.value = "one";
    await assertSecretReadable(values);
  });

  it("is read once for concurrent calls, and again after five minutes", async () => {
    const { store, values } = setUp();
    await Promise.all([values(), values(), values("fresh")]);
    await values();
    expect(store.reads).toBe(1);
    store.value = "three";
    store.now += 5 * MINUTE - 1;
    expect(await values()).toEqual(["one", "two"]);
    store.now += 1;
    expect(await values()).toEqual(["three"]);
    expect(store.reads).toBe(2);
  });

  it("is read again for a mismatch, at most twice a minute", async () => {
    const { store, values } = setUp();
    await values();
    store.value = "three";
    expect(await values("fresh")).toEqual(["one", "two"]);
    store.now += MINUTE / 2;
    expect(await values("fresh")).toEqual(["three"]);
    expect(await values("fresh")).toEqual(["three"]);
    expect(store.reads).toBe(2);
  });

  it("stays in use while the store is unreachable, with at most two attempts a minute", async () => {
    const { store, values } = setUp();
    await values();
    store.value = unreachable;
    store.now += 5 * MINUTE;
    for (let i = 0; i < 3; i += 1) expect(await values()).toEqual(["one", "two"]);
    expect(store.reads).toBe(2);

    store.value = "three";
    store.now += MINUTE / 2;
    expect(await values()).toEqual(["three"]);
  });

  it("that has never been read makes the service unavailable until it can be read", async () => {
    const { store, values } = setUp(unreachable);
    const message = expect.stringContaining("The secret store");
    const expected = { code: "ServiceUnavailable", message, retryAfterSeconds: 1, cause: unreachable };
    await expect(values()).rejects.toMatchObject(expected);

    store.value = "one";
    expect(await values()).toEqual(["one"]);
  });

  it("that the function may not read is an unexpected error", async () => {
    const { store, values } = setUp();
    await values();
    store.value = Object.assign(new Error("not authorized"), { name: "AccessDeniedException" });
    store.now += 5 * MINUTE;
    await expect(values()).rejects.toBe(store.value);
  });
});
