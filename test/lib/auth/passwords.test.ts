import type { Argon2Parameters } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { Passwords } from "../../../lib/auth/passwords.ts";
import { changeArgon2 } from "../../support/argon2.ts";

/** A low cost makes the tests fast. */
const cost = { memory: 8, passes: 1, parallelism: 1 };
const passwords = new Passwords(cost);

/** A hash from argon2's reference implementation (phc-winner-argon2, test.c). */
const reference = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";

/** The parameters of the hashes that are derived in the rest of a test. */
function recordDerived(): Argon2Parameters[] {
  const derived: Argon2Parameters[] = [];
  const end = changeArgon2((parameters) => {
    derived.push(parameters);
    return parameters;
  });
  onTestFinished(end);
  return derived;
}

describe("password hashes", () => {
  it("have the PHC string format and the cost that OWASP recommends", async () => {
    const hash = await new Passwords().hash("Passw0rd");
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await new Passwords().verify("Passw0rd", hash)).toBe(true);
  });

  it("verify a hash of another implementation at its own cost", async () => {
    const derived = recordDerived();
    expect(await passwords.verify("password", reference)).toBe(true);
    expect(await passwords.verify("Password", reference)).toBe(false);
    expect(derived[0]).toMatchObject({ memory: 65_536, passes: 2, parallelism: 1, tagLength: 32 });
  });

  it("differ for the same password, and verify no other one", async () => {
    const hash = await passwords.hash("Passw0rd");
    expect(await passwords.hash("Passw0rd")).not.toBe(hash);
    for (const other of ["passw0rd", " Passw0rd", "", "Passw0rd\u0000"])
      expect(await passwords.verify(other, hash), other).toBe(false);
    const empty = await passwords.hash("");
    for (const impossible of ["\ud800", "x".repeat(3_000_000)])
      expect(await passwords.verify(impossible, empty)).toBe(false);
  });

  it.each([
    ["decomposed accents", "Cre\u0301pes12", "Cr\u00e9pes12"],
    ["full-width letters", "\uff30assw0rd", "Passw0rd"],
  ])("ignore %s", async (_, typed, stored) => {
    expect(await passwords.verify(typed, await passwords.hash(stored))).toBe(true);
    expect(await passwords.verify(stored, await passwords.hash(typed))).toBe(true);
  });

  it("hash no more than a password can have", async () => {
    const derived = recordDerived();
    const longest = "🧀".repeat(1_024);
    const hash = await passwords.hash(longest);
    expect(await passwords.verify(longest, hash)).toBe(true);
    expect(await passwords.verify(`${longest}x`, hash)).toBe(false);
    expect(derived.map(({ message }) => Buffer.byteLength(message as Buffer))).toEqual([4_096, 4_096, 0]);
  });

  it("cost the same without an account", async () => {
    const hash = await passwords.hash("Passw0rd");
    const derived = recordDerived();

    expect(await passwords.verify("wrong", hash)).toBe(false);
    expect(await passwords.verify("wrong", undefined)).toBe(false);
    expect(await passwords.verify("x".repeat(5_000), undefined)).toBe(false);
    const costs = derived.map(({ message: _, nonce, ...rest }) => [rest, Buffer.byteLength(nonce as Buffer)]);
    expect(costs).toEqual(Array.from({ length: 3 }, () => [{ ...cost, tagLength: 32 }, 16]));
  });

  it("need a rehash if their cost differs", async () => {
    const hash = await passwords.hash("Passw0rd");
    expect(passwords.needsRehash(hash)).toBe(false);
    for (const other of [{ memory: 16 }, { passes: 2 }, { parallelism: 2 }]) {
      expect(new Passwords({ ...cost, ...other }).needsRehash(hash)).toBe(true);
    }
    expect(passwords.needsRehash(reference)).toBe(true);
  });

  const others = ["", "$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA", `${reference}!`];
  it.each(others)(
    "in another format are an unexpected error that does not repeat them: %s",
    async (stored) => {
      const message = /^A stored password hash is not argon2id in the PHC string format$/;
      await expect(passwords.verify("x", stored)).rejects.toThrow(message);
    },
  );
});
