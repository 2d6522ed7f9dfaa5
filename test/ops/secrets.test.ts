import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiKey } from "../../lib/auth/api-keys.ts";
import { cachedSecret } from "../../lib/auth/secrets.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { secretValues } from "../support/credentials.ts";
import { runWithOperator } from "../support/operator.ts";

const MINUTE = 60_000;

let service: Awaited<ReturnType<typeof runWithOperator>>;
beforeAll(async () => {
  service = await runWithOperator({ withCatalog: false, secrets: secretValues });
});
afterAll(() => service.end());

const keys = () => (service.run.secrets().ApiKeys ?? "").split(",");
const signingSecrets = () =>
  (service.run.secrets().SigningSecrets ?? "").split(",").map((each) => each.trim());

async function protectedStatus(key: string): Promise<number> {
  return (await fetch(`${service.run.url}/api/protected`, { headers: { "x-api-key": key } })).status;
}

describe("npm run key", { timeout: 60_000 }, () => {
  it("adds a key, which it prints once and which opens what needs one at once", async () => {
    const dry = await service.operate("key", ["add", "--dry-run"]);
    expect(dry).toEqual({ code: 0, output: "", errors: "Would have added a key to 2 keys.\n" });

    const { code, output, errors } = await service.operate("key", ["add"]);
    expect([code, errors]).toEqual([0, "Added a key: 3 keys now.\n"]);
    expect(output).toMatch(/^[A-Za-z0-9]{48}\n$/);
    expect(await protectedStatus(output.trim())).toBe(200);
    expect(await protectedStatus("the-first-key-of-the-specs")).toBe(200);
    expect(await protectedStatus("another")).toBe(401);
  });

  it("lists how many there are, and not more than the beginning of each", async () => {
    const expected = [`${keys().length} keys`, ...keys().map((key) => `${key.slice(0, 4)}…`), ""].join("\n");

    expect(await service.operate("key", ["list"])).toEqual({ code: 0, output: expected, errors: "" });
  });

  it("revokes a key, which functions refuse once they have read the keys again", async () => {
    const { output } = await service.operate("key", ["add"]);
    const key = output.trim();
    let now = 0;
    const authorize = () => apiKey.authorize({ "x-api-key": key }, { keys: functionsKeys });
    const functionsKeys = cachedSecret(
      async () => service.run.secrets().ApiKeys ?? "",
      () => now,
    );
    await authorize();

    const dry = await service.operate("key", ["revoke", key.slice(0, 12), "--dry-run"]);
    expect(dry.output).toBe(`Would have revoked ${key.slice(0, 4)}… of ${keys().length} keys.\n`);
    expect(keys()).toContain(key);
    const count = keys().length;
    expect(await service.operate("key", ["revoke", key.slice(0, 12)])).toEqual({
      code: 0,
      output: `Revoked ${key.slice(0, 4)}…: ${count - 1} keys left. Within 5 minutes nothing takes it any more.\n`,
      errors: "",
    });
    expect(keys()).not.toContain(key);
    await authorize();
    now += 5 * MINUTE;
    await expect(authorize()).rejects.toMatchObject({ code: "Unauthorized" });
  });

  it.each([
    ["that nobody has", "nobodys", "No key begins like that; nothing is changed."],
    ["that several begin with", "the-", "Several keys begin like that: say more; nothing is changed."],
  ])("revokes none %s", async (_, beginning, message) => {
    const before = keys();
    expect(await service.operate("key", ["revoke", beginning])).toEqual({
      code: 1,
      output: "",
      errors: `${message}\n`,
    });
    expect(keys()).toEqual(before);
  });

  it("keeps the last one", async () => {
    const [first = "", ...others] = keys();
    for (const key of others)
      expect(await service.operate("key", ["revoke", key])).toMatchObject({ code: 0 });

    expect(await service.operate("key", ["revoke", first])).toMatchObject({
      code: 1,
      errors: "It is the only key: add another one first; nothing is changed.\n",
    });
    expect(keys()).toEqual([first]);
  });

  it("loses none of the keys that several operators add at once", async () => {
    const before = keys();
    const added = await Promise.all([1, 2, 3].map(() => service.operate("key", ["add"])));

    expect(added.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(new Set(keys())).toEqual(new Set([...before, ...added.map(({ output }) => output.trim())]));
  });
});

describe("npm run rotate", { timeout: 60_000 }, () => {
  it("has a new secret sign, and logs nobody out", async () => {
    const login = {
      method: "POST",
      body: JSON.stringify({ username: "admin", password: secretValues.AdminPassword }),
    };
    const answer = await fetch(`${service.run.url}/auth/login`, login);
    const { access_token: token } = (await answer.json()) as { readonly access_token: string };
    const before = signingSecrets();
    expect(await service.operate("rotate", ["--dry-run"])).toMatchObject({
      code: 0,
      output: "Would have put a new secret first; 3 would verify.\n",
    });
    expect(signingSecrets()).toEqual(before);

    const { code, output } = await service.operate("rotate");
    expect([code, output]).toEqual([
      0,
      "A new secret signs; 3 verify. In 40 minutes, --prune can drop those before.\n",
    ]);
    expect(signingSecrets().slice(1)).toEqual(before);
    // As a function sees it that is started now, and one that has been there before.
    const tokens = new Tokens({ secrets: async () => signingSecrets(), now: () => new Date() });
    expect(await tokens.verify(token)).toBe("admin");
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${service.run.url}/users/me`, { headers })).status).toBe(200);
    const newest = new Tokens({ secrets: async () => signingSecrets().slice(0, 1), now: () => new Date() });
    expect(await newest.verify(await tokens.issue("admin"))).toBe("admin");
  });

  it("drops no secret that a valid token may need", async () => {
    const before = signingSecrets();
    const { code, output } = await service.operate("rotate", ["--prune"]);

    expect(code).toBe(0);
    expect(output).toMatch(
      /^Nothing is dropped: valid tokens may need them until \d{4}-[\d-]+T[\d:.]+Z\.\n$/,
    );
    expect(signingSecrets()).toEqual(before);
  });
});
