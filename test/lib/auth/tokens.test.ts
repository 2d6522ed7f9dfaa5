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

const unauthorized = (message: string) => ({
  code: "Unauthorized",
  message,
  headers: { "www-authenticate": "Bearer" },
});

describe("a token", () => {
  it("contains only the user and an expiry in half an hour", async () => {
    const [header = "", payload = ""] = (await tokens().issue("alice")).split(".");
    expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({ alg: "HS256", typ: "JWT" });
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toEqual({
      sub: "alice",
      exp: seconds + 1_800,
    });
  });

  it("has the version of an account whose earlier tokens have ended", async () => {
    const token = await tokens().issue("alice", 3);
    expect(await tokens().verify(token)).toEqual({ username: "alice", version: 3 });
  });

  it("is valid until half an hour has passed", async () => {
    const token = await tokens().issue("alice");

    expect(await tokens(undefined, at(1_799)).verify(token)).toEqual(alice);
    await expect(tokens(undefined, at(1_800)).verify(token)).rejects.toMatchObject(
      unauthorized("Token has expired"),
    );
  });

  it("is signed with the first secret and verified with any", async () => {
    const token = await tokens(["first", "second"]).issue("alice");
    expect(await tokens(["second", "first"]).verify(token)).toEqual(alice);
    await expect(tokens(["second"]).verify(token)).rejects.toMatchObject(
      unauthorized("Could not validate credentials"),
    );
  });

  it("without a sub is rejected with its own message", async () => {
    const token = await signed({ exp: seconds + 60 });
    await expect(tokens().verify(token)).rejects.toMatchObject(
      unauthorized("Invalid authentication credentials"),
    );
  });

  it("that has expired is reported as expired, even without a sub", async () => {
    await expect(tokens().verify(await signed({ exp: seconds }))).rejects.toMatchObject(
      unauthorized("Token has expired"),
    );
  });

  it.each([
    ["a sub that is a number", () => signed({ sub: 5, exp: seconds + 60 })],
    ["no expiry", () => signed({ sub: "alice" })],
    ["a nbf in the future", () => signed({ sub: "alice", exp: seconds + 60, nbf: seconds + 30 })],
    ["another secret", () => signed({ sub: "alice", exp: seconds + 60 }, { secret: "third" })],
    ["another secret, and expired", () => signed({ sub: "alice", exp: seconds }, { secret: "third" })],
    ["HS512", () => signed({ sub: "alice", exp: seconds + 60 }, { alg: "HS512" })],
    [
      "RS256",
      async () =>
        new SignJWT({ sub: "alice", exp: seconds + 60 })
          .setProtectedHeader({ alg: "RS256" })
          .sign((await generateKeyPair("RS256")).privateKey),
    ],
    ["the algorithm none", async () => new UnsecuredJWT({ sub: "alice", exp: seconds + 60 }).encode()],
    ["an empty signature", async () => (await tokens().issue("alice")).replace(/[^.]*$/, "")],
    ["megabytes", async () => `${"A".repeat(2_000_000)}.${"A".repeat(2_000_000)}.AAAA`],
    ["garbage", async () => "not a token at all \u2603"],
  ])("with %s is rejected", async (_, make) => {
    await expect(tokens().verify(await make())).rejects.toMatchObject(
      unauthorized("Could not validate credentials"),
    );
  });

  it("is not blamed for a secret that cannot sign", async () => {
    const token = await tokens().issue("alice");
    await expect(tokens([""]).verify(token)).rejects.not.toBeInstanceOf(ApiError);
  });

  describe("while secrets are rotated", () => {
    function rotated(cached: readonly string[], fresh: readonly string[]) {
      const calls: (string | undefined)[] = [];
      const secrets: SecretValues = async (wanted) => {
        calls.push(wanted);
        return wanted === "fresh" ? fresh : cached;
      };
      return { tokens: new Tokens({ secrets, now: () => NOW }), calls };
    }

    it("is verified with a secret that is not cached yet", async () => {
      const token = await tokens(["new"]).issue("alice");
      const { tokens: outdated, calls } = rotated(["old"], ["new", "old"]);
      expect(await outdated.verify(token)).toEqual(alice);
      expect(calls).toEqual([undefined, "fresh"]);
    });

    it.each([
      ["is valid", async () => tokens(["old"]).issue("alice")],
      ["has expired", async () => tokens(["old"], at(-4_000)).issue("alice")],
      ["is no token", async () => "garbage"],
    ])("does not read fresh secrets if it %s", async (_, make) => {
      const { tokens: outdated, calls } = rotated(["old"], ["new"]);
      await Promise.allSettled([outdated.verify(await make())]);
      expect(calls).toEqual([undefined]);
    });
  });
});
