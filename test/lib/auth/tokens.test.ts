import { base64url, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import type { SecretValues } from "../../../lib/auth/secrets.ts";
import { Tokens } from "../../../lib/auth/tokens.ts";

const NOW = new Date("2030-01-01T12:00:00.700Z");
const seconds = Math.floor(NOW.getTime() / 1_000);
const bytes = (text: string) => new TextEncoder().encode(text);
const at = (offset: number) => new Date(NOW.getTime() + offset * 1_000);

function tokens(secrets: readonly string[] = ["first", "second"], now = NOW): Tokens {
  return new Tokens({ secrets: async () => secrets, now: () => now });
}

/** A token of the given claims, signed with HS256 and the first secret unless told. */
function signed(claims: Record<string, unknown>, { alg = "HS256", secret = "first" } = {}): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg })
    .sign(bytes(secret.padEnd(alg === "HS512" ? 64 : 0, "!")));
}

const refused = (message: string) => ({
  code: "Unauthorized",
  message,
  headers: { "www-authenticate": "Bearer" },
});

describe("a token", () => {
  it("names the user and ends half an hour later, and says nothing else", async () => {
    const [header = "", payload = ""] = (await tokens().issue("alice")).split(".");

    expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({ alg: "HS256", typ: "JWT" });
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toEqual({
      sub: "alice",
      exp: seconds + 1_800,
    });
  });

  it("is verified", async () => {
    expect(await tokens().verify(await tokens().issue("alice"))).toBe("alice");
  });

  it("is valid for half an hour less than a second, then it has expired", async () => {
    const token = await tokens().issue("alice");

    expect(await tokens(undefined, at(1_799)).verify(token)).toBe("alice");
    await expect(tokens(undefined, at(1_800)).verify(token)).rejects.toMatchObject(
      refused("Token has expired"),
    );
    await expect(tokens(undefined, at(1e9)).verify(token)).rejects.toMatchObject(
      refused("Token has expired"),
    );
  });

  it("that ends this very second has expired", async () => {
    await expect(tokens().verify(await signed({ sub: "alice", exp: seconds }))).rejects.toMatchObject(
      refused("Token has expired"),
    );
    expect(await tokens().verify(await signed({ sub: "alice", exp: seconds + 1 }))).toBe("alice");
  });

  it("is signed with the first secret and verified with all", async () => {
    const token = await tokens(["first", "second"]).issue("alice");

    expect(await tokens(["second", "first"]).verify(token)).toBe("alice");
    await expect(tokens(["second"]).verify(token)).rejects.toMatchObject(
      refused("Could not validate credentials"),
    );
  });

  it.each([
    ["is missing", {}],
    ["is null", { sub: null }],
  ])("whose sub %s is refused in words of its own", async (_, claims) => {
    const token = await signed({ exp: seconds + 60, ...claims });

    await expect(tokens().verify(token)).rejects.toMatchObject(refused("Invalid authentication credentials"));
  });

  it("that has expired says so before it says that its sub is missing", async () => {
    await expect(tokens().verify(await signed({ exp: seconds }))).rejects.toMatchObject(
      refused("Token has expired"),
    );
  });

  it.each([
    ["a sub that is a number", () => signed({ sub: 5, exp: seconds + 60 })],
    ["a sub that is a list", () => signed({ sub: ["alice"], exp: seconds + 60 })],
    ["no end", () => signed({ sub: "alice" })],
    ["an end that is a text", () => signed({ sub: "alice", exp: "never" })],
    ["an end that is null", () => signed({ sub: "alice", exp: null })],
    ["a beginning to come", () => signed({ sub: "alice", exp: seconds + 60, nbf: seconds + 30 })],
    ["another secret", () => signed({ sub: "alice", exp: seconds + 60 }, { secret: "third" })],
    ["another secret, and expired", () => signed({ sub: "alice", exp: seconds }, { secret: "third" })],
    ["HS512", () => signed({ sub: "alice", exp: seconds + 60 }, { alg: "HS512" })],
    ["HS384", () => signed({ sub: "alice", exp: seconds + 60 }, { alg: "HS384" })],
    [
      "RS256",
      async () =>
        new SignJWT({ sub: "alice", exp: seconds + 60 })
          .setProtectedHeader({ alg: "RS256" })
          .sign((await generateKeyPair("RS256")).privateKey),
    ],
    ["the algorithm none", async () => new UnsecuredJWT({ sub: "alice", exp: seconds + 60 }).encode()],
    [
      "the algorithm None, spelt so",
      async () =>
        `${base64url.encode('{"alg":"None"}')}.${base64url.encode('{"sub":"alice","exp":9999999999}')}.`,
    ],
    ["its signature cut off", async () => (await tokens().issue("alice")).replace(/[^.]*$/, "")],
    [
      "another payload",
      async () =>
        (await tokens().issue("alice")).replace(
          /\.[^.]*\./,
          `.${base64url.encode('{"sub":"bob","exp":9999999999}')}.`,
        ),
    ],
    [
      "a critical header that is not known",
      () =>
        new SignJWT({ sub: "alice", exp: seconds + 60 })
          .setProtectedHeader({ alg: "HS256", crit: ["x"], x: 1 } as never)
          .sign(bytes("first"), { crit: { x: false } }),
    ],
    ["four parts", async () => `${await tokens().issue("alice")}.x`],
    ["megabytes", async () => `${"A".repeat(2_000_000)}.${"A".repeat(2_000_000)}.AAAA`],
    ["nothing", async () => ""],
    ["dots", async () => ".."],
    ["garbage", async () => "not a token at all \u2603"],
    [
      "a payload that is no object",
      async () => `${base64url.encode('{"alg":"HS256"}')}.${base64url.encode("5")}.AAAA`,
    ],
  ])("with %s is refused", async (_, make) => {
    await expect(tokens().verify(await make())).rejects.toMatchObject(
      refused("Could not validate credentials"),
    );
  });

  describe("while secrets are rotated", () => {
    /** Secrets whose fresh values are others than those known so far. */
    function rotated(cached: readonly string[], fresh: readonly string[]) {
      const asked: (string | undefined)[] = [];
      const secrets: SecretValues = async (wanted) => {
        asked.push(wanted);
        return wanted === "fresh" ? fresh : cached;
      };
      return { tokens: new Tokens({ secrets, now: () => NOW }), asked };
    }

    it("is verified with a secret that this function has not heard of yet", async () => {
      const token = await tokens(["new"]).issue("alice");
      const { tokens: behind, asked } = rotated(["old"], ["new", "old"]);

      expect(await behind.verify(token)).toBe("alice");
      expect(asked).toEqual([undefined, "fresh"]);
    });

    it.each([
      ["is valid", async () => tokens(["old"]).issue("alice")],
      ["has expired", async () => tokens(["old"], at(-4_000)).issue("alice")],
      ["is none", async () => "garbage"],
    ])("asks for fresh secrets only when no known one has signed it, not when it %s", async (_, make) => {
      const { tokens: behind, asked } = rotated(["old"], ["new"]);
      await Promise.allSettled([behind.verify(await make())]);

      expect(asked).toEqual([undefined]);
    });
  });
});
