import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { assertSecretReadable, cachedSecret, secret } from "../../../lib/auth/secrets.ts";
import { type SecretStore, startSecretStore } from "../../support/data/secrets.ts";

const MINUTE = 60_000;
const unreachable = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

function setUp(first: string | Error = "one,two") {
  const store = { value: first, reads: 0, now: 1_000_000 };
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
  it("has values with commas between them", async () => {
    expect(await setUp(" one , two ,,\n").values()).toEqual(["one", "two"]);
  });

  it.each(["", " , "])("without a value (%j) is an error", async (text) => {
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

  it("is read once for concurrent calls", async () => {
    const { store, values } = setUp();
    await Promise.all([values(), values(), values("fresh")]);
    await values();
    expect(store.reads).toBe(1);
  });

  it("is read again after five minutes", async () => {
    const { store, values } = setUp();
    await values();
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
    await expect(values()).rejects.toMatchObject({
      code: "ServiceUnavailable",
      message: expect.stringContaining("The secret store"),
      retryAfterSeconds: 1,
      cause: unreachable,
    });

    store.value = "one";
    expect(await values()).toEqual(["one"]);
  });

  it("that the function may not read is an unexpected error", async () => {
    const denied = Object.assign(new Error("not authorized"), { name: "AccessDeniedException" });
    const { store, values } = setUp();
    await values();
    store.value = denied;
    store.now += 5 * MINUTE;

    await expect(values()).rejects.toBe(denied);
  });
});

describe("a secret in Secrets Manager", () => {
  let store: SecretStore;
  beforeEach(async () => {
    store = await startSecretStore({ SigningSecrets: "one,two" });
    vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", store.url);
    vi.stubEnv("AWS_REGION", "us-east-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await store.close();
  });
  const arn = (name: string) => `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}-AbCdEf`;

  it("is read by the ARN in the environment", async () => {
    vi.stubEnv("SIGNING_SECRETS_ARN", arn("SigningSecrets"));
    expect(await secret("SIGNING_SECRETS")()).toEqual(["one", "two"]);
  });

  it("that does not exist is an unexpected error", async () => {
    vi.stubEnv("API_KEYS_ARN", arn("ApiKeys"));
    await expect(secret("API_KEYS")()).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  });

  it("without an ARN in the environment is an unexpected error", () => {
    expect(() => secret("API_KEYS")).toThrow("API_KEYS_ARN");
  });
});
