import { type Argon2Parameters, argon2 } from "node:crypto";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { currentCost, type Derive, Passwords } from "../../../lib/auth/passwords.ts";

/** A low cost makes the tests fast. */
const cost = { memory: 8, passes: 1, parallelism: 1 };
const passwords = new Passwords({ cost });

/** A hash from argon2's reference implementation (phc-winner-argon2, test.c). */
const reference = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";

/** Passwords that record their derivations. */
function counting(options: { cost?: typeof cost } = { cost }) {
  const derived: Argon2Parameters[] = [];
  const derive: Derive = (algorithm, parameters) => {
    derived.push(parameters);
    return promisify(argon2)(algorithm, parameters);
  };
  return { passwords: new Passwords({ ...options, derive }), derived };
}

describe("password hashes", () => {
  it("have the PHC string format and the cost that OWASP recommends", async () => {
    const hash = await new Passwords().hash("Passw0rd");

    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await new Passwords().verify("Passw0rd", hash)).toBe(true);
  });

  it("verify a hash of another implementation at its own cost", async () => {
    const { passwords: counted, derived } = counting();

    expect(await counted.verify("password", reference)).toBe(true);
    expect(await counted.verify("Password", reference)).toBe(false);
    expect(derived[0]).toMatchObject({ memory: 65_536, passes: 2, parallelism: 1, tagLength: 32 });
  });

  it("differ for the same password", async () => {
    expect(await passwords.hash("Passw0rd")).not.toBe(await passwords.hash("Passw0rd"));
  });

  it.each([
    "passw0rd",
    "Passw0rd ",
    " Passw0rd",
    "",
    "Passw0r",
    "Passw0rd\u0000",
    "\ud800Passw0rd",
    "x".repeat(3_000_000),
  ])("do not verify another password (case %#)", async (other) => {
    expect(await passwords.verify(other, await passwords.hash("Passw0rd"))).toBe(false);
  });

  it.each(["\ud800", "x".repeat(3_000_000)])("never verify what nobody can have (case %#)", async (other) => {
    expect(await passwords.verify(other, await passwords.hash(""))).toBe(false);
  });

  it.each([
    ["decomposed accents", "Cre\u0301pes12", "Cr\u00e9pes12"],
    ["full-width letters", "\uff30assw0rd", "Passw0rd"],
    ["a no-break space", "Pass\u00a0w0rd", "Pass w0rd"],
  ])("ignore %s", async (_, typed, stored) => {
    expect(await passwords.verify(typed, await passwords.hash(stored))).toBe(true);
    expect(await passwords.verify(stored, await passwords.hash(typed))).toBe(true);
  });

  it("distinguish a lone surrogate from its replacement character", async () => {
    expect(await passwords.verify("Passw0rd\ud800", await passwords.hash("Passw0rd\ufffd"))).toBe(false);
  });

  it("hash no more than a password can have", async () => {
    const { passwords: counted, derived } = counting();
    const longest = "🧀".repeat(1_024);
    const hash = await counted.hash(longest);

    expect(await counted.verify(longest, hash)).toBe(true);
    expect(await counted.verify(`${longest}x`, hash)).toBe(false);
    expect(derived.map(({ message }) => Buffer.byteLength(message as Buffer))).toEqual([4_096, 4_096, 0]);
  });

  it("do not exist without an account, whatever is derived", async () => {
    const zeros = new Passwords({ cost, derive: async (_, { tagLength }) => Buffer.alloc(tagLength) });

    expect(await zeros.verify("Passw0rd", undefined)).toBe(false);
  });

  it("cost the same without an account", async () => {
    const { passwords: counted, derived } = counting({});
    const hash = await counted.hash("Passw0rd");
    derived.length = 0;

    expect(await counted.verify("wrong", hash)).toBe(false);
    expect(await counted.verify("wrong", undefined)).toBe(false);
    expect(await counted.verify("x".repeat(5_000), undefined)).toBe(false);
    const costs = derived.map(({ memory, passes, parallelism, tagLength, nonce }) => [
      { memory, passes, parallelism },
      tagLength,
      Buffer.byteLength(nonce as Buffer),
    ]);
    expect(costs).toEqual(Array.from({ length: 3 }, () => [currentCost, 32, 16]));
  });

  it("need a rehash if their cost differs", async () => {
    const hash = await passwords.hash("Passw0rd");

    expect(passwords.needsRehash(hash)).toBe(false);
    for (const other of [{ memory: 16 }, { passes: 2 }, { parallelism: 2 }]) {
      expect(new Passwords({ cost: { ...cost, ...other } }).needsRehash(hash)).toBe(true);
    }
    expect(passwords.needsRehash(reference)).toBe(true);
  });

  it.each(["", "plain", "$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA", "$2b$10$abc", `${reference}!`])(
    "in another format are an unexpected error that does not repeat them: %s",
    async (stored) => {
      await expect(passwords.verify("x", stored)).rejects.toThrow(
        /^A stored password hash is not argon2id in the PHC string format$/,
      );
    },
  );
});
