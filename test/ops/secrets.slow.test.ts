import { createHash } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { apiKey } from "../../lib/auth/api-keys.ts";
import { cachedSecret } from "../../lib/auth/secrets.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { ApiClient, overHttp } from "../support/api/client.ts";
import { credentials, secretValues } from "../support/data/credentials.ts";
import { runWithOperator } from "../support/programs/operator.ts";

const MINUTE = 60_000;

const service = await runWithOperator({ withCatalog: false, secrets: secretValues });
afterAll(() => service.end());

const keys = () => (service.run.secrets().ApiKeys ?? "").split(",");
const signingSecrets = () => (service.run.secrets().SigningSecrets ?? "").split(/, */);
/** Tokens of a function that starts now. */
const tokensOf = (...secrets: readonly string[]) =>
  new Tokens({ secrets: async () => secrets, now: () => new Date() });

const idOf = (key: string) => createHash("sha256").update(key).digest("hex").slice(0, 8);
const named = (key: string) => `${idOf(key)} (${key.slice(0, 4)}…)`;

const api = new ApiClient(overHttp(service.run.url));
const protectedStatus = async (key: string) =>
  (await api.get("/api/protected", { headers: { "x-api-key": key } })).status;

describe("npm run key", () => {
  it("adds a key that is valid immediately, prints it, and lists it by its id and first characters", async () => {
    const { code, output, errors } = await service.operate("key", ["add"]);
    expect([code, errors]).toEqual([0, `Added ${idOf(output.trim())}; now 3 keys.\n`]);
    expect(output).toMatch(/^[A-Za-z0-9]{48}\n$/);
    expect(await protectedStatus(output.trim())).toBe(200);
    expect(await protectedStatus("the-first-key-of-the-specs")).toBe(200);
    expect(await protectedStatus("another")).toBe(401);

    const expected = [`${keys().length} keys`, ...keys().map(named), ""].join("\n");
    expect(await service.operateHere("key", ["list"])).toEqual({ code: 0, output: expected, errors: "" });
  });

  it("revokes a key, which functions refuse after rereading the keys", async () => {
    const { output } = await service.operateHere("key", ["add"]);
    const key = output.trim();
    let now = 0;
    const read = async () => service.run.secrets().ApiKeys ?? "";
    const functionsKeys = cachedSecret(read, () => now);
    const authorize = () => apiKey.authorize({ "x-api-key": key }, { keys: functionsKeys });
    await authorize();

    const count = keys().length;
    expect(await service.operateHere("key", ["revoke", idOf(key)])).toEqual({
      code: 0,
      output: `Revoked ${named(key)}; ${count - 1} keys left. Every function refuses it within 5 minutes.\n`,
      errors: "",
    });
    expect(keys()).not.toContain(key);
    await authorize();
    now += 5 * MINUTE;
    await expect(authorize()).rejects.toMatchObject({ code: "Unauthorized" });
  });

  it.each(["0123abcd", "the-"])("rejects %s, an unknown id or the beginning of a key", async (wanted) => {
    const before = keys();
    const { code, errors } = await service.operateHere("key", ["revoke", wanted]);
    expect([code, errors]).toEqual([1, "There is no such key. Nothing was changed.\n"]);
    expect(keys()).toEqual(before);
  });

  it("keeps the last one", async () => {
    const [first = "", ...others] = keys();
    for (const key of others)
      expect(await service.operateHere("key", ["revoke", key])).toMatchObject({ code: 0 });

    const { code, errors } = await service.operateHere("key", ["revoke", first]);
    expect([code, errors]).toEqual([
      1,
      "This is the only key: add another one first. Nothing was changed.\n",
    ]);
    expect(keys()).toEqual([first]);
  });

  it("keeps all keys that several operators add concurrently", async () => {
    const before = keys();
    const added = await Promise.all([1, 2, 3].map(() => service.operate("key", ["add"])));
    expect(added.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(new Set(keys())).toEqual(new Set([...before, ...added.map(({ output }) => output.trim())]));
  });
});

describe("npm run rotate", () => {
  it("signs with a new secret and still verifies earlier tokens", async () => {
    const { access_token: token } = (await api.post("/auth/login", credentials.admin)).body;
    const before = signingSecrets();
    const { code, output } = await service.operate("rotate");
    const added = "Added a signing secret; 3 verify. Remove the previous ones with --prune in 40 minutes.\n";
    expect([code, output]).toEqual([0, added]);
    expect(signingSecrets().slice(1)).toEqual(before);
    // A function that is running may still have the previous secrets.
    const tokens = tokensOf(...signingSecrets());
    expect(await tokens.verify(token)).toEqual({ username: "admin", version: 0 });
    const headers = { authorization: `Bearer ${token}` };
    expect((await api.get("/users/me", { headers })).status).toBe(200);
    const newest = tokensOf(signingSecrets()[0] ?? "");
    expect(await newest.verify(await tokens.issue("admin"))).toEqual({ username: "admin", version: 0 });
  });

  it("ends every token and key of before with --revoke", async () => {
    const previous = { keys: keys(), secrets: signingSecrets() };
    const unchanged = () => expect({ keys: keys(), secrets: signingSecrets() }).toEqual(previous);
    expect(await service.operateHere("rotate", ["--revoke"], "no\n")).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^This ends every token and every API key: [\s\S]* Enter revoke: /),
    });
    unchanged();
    expect(await service.operateHere("rotate", ["--revoke", "--prune"])).toMatchObject({ code: 2 });
    expect(await service.operateHere("rotate", ["--yes"])).toMatchObject({ code: 2 });
    let now = 0;
    const read = async () => service.run.secrets().SigningSecrets ?? "";
    const running = new Tokens({ secrets: cachedSecret(read, () => now), now: () => new Date() });
    const forged = await tokensOf(...previous.secrets).issue("admin");
    await running.verify(forged);

    const { code, output, errors } = await service.operate("rotate", ["--revoke"], "revoke\n");
    expect([code, keys()]).toEqual([0, [output.trim()]]);
    expect(errors).toMatch(/up to 5 more minutes/);
    expect(signingSecrets()).toEqual([expect.stringMatching(/^[A-Za-z0-9]{48}$/)]);
    expect(previous.secrets).not.toContain(signingSecrets()[0]);
    expect(previous.keys).not.toContain(keys()[0]);
    now += 5 * MINUTE;
    await expect(running.verify(forged)).rejects.toMatchObject({ code: "Unauthorized" });
  });
});
