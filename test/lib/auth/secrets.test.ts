import { describe, expect, it, onTestFinished, vi } from "vitest";
import { assertSecretReadable, cachedSecret, secret } from "../../../lib/auth/secrets.ts";
import { startSecretStore } from "../../support/data/secrets.ts";

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
    const { store, values } = setUp();
    await values();
    store.value = Object.assign(new Error("not authorized"), { name: "AccessDeniedException" });
    store.now += 5 * MINUTE;
    await expect(values()).rejects.toBe(store.value);
  });
});

it("a secret in Secrets Manager is read by the ARN in the environment; without either it is an error", async () => {
  const store = await startSecretStore({ SigningSecrets: "one,two" });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await store.close();
  });
  const arn = (name: string) => `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}-AbCdEf`;
  for (const [name, value] of Object.entries({
    AWS_ENDPOINT_URL_SECRETS_MANAGER: store.url,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    SIGNING_SECRETS_ARN: arn("SigningSecrets"),
  }))
    vi.stubEnv(name, value);

  expect(await secret("SIGNING_SECRETS")()).toEqual(["one", "two"]);
  expect(() => secret("API_KEYS")).toThrow("API_KEYS_ARN");
  vi.stubEnv("API_KEYS_ARN", arn("ApiKeys"));
  await expect(secret("API_KEYS")()).rejects.toMatchObject({ name: "ResourceNotFoundException" });
});
