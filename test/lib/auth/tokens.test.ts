import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import type { SecretValues } from "../../../lib/auth/secrets.ts";
import { Tokens } from "../../../lib/auth/tokens.ts";
import { ApiError } from "../../../lib/domain/errors.ts";

const NOW = new Date("2030-01-01T12:00:00.700Z");
const seconds = Math.floor(NOW.getTime() / 1_000);
const bytes = (text: string) => new TextEncoder().encode(text);
const at = (offset: number) => new Date(NOW.getTime() + offset * 1_000);

function tokens(secrets: readonly string[] = ["first", "second"], now = NOW): Tokens {
  return new Tokens({ secrets: async () => secrets, now: () => now });
}

function signed(claims: Record<string, unknown>, { alg = "HS256", secret = "first" } = {}): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg })
    .sign(bytes(secret.padEnd(alg === "HS512" ? 64 : 0, "!")));
}

const alice = { username: "alice", version: 0 };

async function expectRefusal(token: string, message: string, verifier = tokens()) {
  const expected = { code: "Unauthorized", message, headers: { "www-authenticate": "Bearer" } };
  await expect(verifier.verify(token)).rejects.toMatchObject(expected);
}

describe("a token", () => {
  it("contains only the user and an expiry in half an hour", async () => {
    const parts = (await tokens().issue("alice")).split(".").slice(0, 2);
    const [header, payload] = parts.map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
    expect(header).toEqual({ alg: "HS256", typ: "JWT" });
    expect(payload).toEqual({ sub: "alice", exp: seconds + 1_800 });
  });

  it("has the version of an account whose earlier tokens have ended", async () => {
    const token = await tokens().issue("alice", 3);
    expect(await tokens().verify(token)).toEqual({ username: "alice", version: 3 });
  });

  it("is valid until half an hour has passed", async () => {
    const token = await tokens().issue("alice");

    expect(await tokens(undefined, at(1_799)).verify(token)).toEqual(alice);
    await expectRefusal(token, "Token has expired", tokens(undefined, at(1_800)));
  });

  it("is signed with the first secret and verified with any", async () => {
    const token = await tokens(["first", "second"]).issue("alice");
    expect(await tokens(["second", "first"]).verify(token)).toEqual(alice);
    await expectRefusal(token, "Could not validate credentials", tokens(["second"]));
  });

  it("without a sub is rejected with its own message, unless it has expired", async () => {
    await expectRefusal(await signed({ exp: seconds + 60 }), "Invalid authentication credentials");
    await expectRefusal(await signed({ exp: seconds }), "Token has expired");
  });

  const valid = { sub: "alice", exp: seconds + 60 };
  const withRsa = async () =>
    new SignJWT(valid).setProtectedHeader({ alg: "RS256" }).sign((await generateKeyPair("RS256")).privateKey);

  it.each([
    ["a sub that is a number", () => signed({ ...valid, sub: 5 })],
    ["no expiry", () => signed({ sub: "alice" })],
    ["a nbf in the future", () => signed({ ...valid, nbf: seconds + 30 })],
    ["another secret", () => signed(valid, { secret: "third" })],
    ["another secret, and expired", () => signed({ ...valid, exp: seconds }, { secret: "third" })],
    ["HS512", () => signed(valid, { alg: "HS512" })],
    ["RS256", withRsa],
    ["the algorithm none", () => new UnsecuredJWT(valid).encode()],
    ["an empty signature", async () => (await tokens().issue("alice")).replace(/[^.]*$/, "")],
    ["megabytes", () => `${"A".repeat(2_000_000)}.${"A".repeat(2_000_000)}.AAAA`],
    ["garbage", () => "not a token at all \u2603"],
  ])("with %s is rejected", async (_, make) => {
    await expectRefusal(await make(), "Could not validate credentials");
  });

  it("is not blamed for a secret that cannot sign", async () => {
    const token = await tokens().issue("alice");
    await expect(tokens([""]).verify(token)).rejects.not.toBeInstanceOf(ApiError);
  });

  it.each([
    ["has a signature by a new secret", () => tokens(["new"]).issue("alice"), alice, ["fresh"]],
    ["is valid", () => tokens(["old"]).issue("alice"), alice, []],
    ["has expired", () => tokens(["old"], at(-4_000)).issue("alice"), "refused", []],
    ["is none", () => "garbage", "refused", []],
  ])("that %s while secrets are rotated has the outcome %j and needs %j", async (_, make, outcome, read) => {
    const calls: (string | undefined)[] = [];
    const secrets: SecretValues = async (wanted) => {
      calls.push(wanted);
      return wanted === "fresh" ? ["new", "old"] : ["old"];
    };
    const outdated = new Tokens({ secrets, now: () => NOW });
    expect(await outdated.verify(await make()).catch(() => "refused")).toEqual(outcome);
    expect(calls).toEqual([undefined, ...read]);
  });
});
