import { describe, expect, it } from "vitest";
import { Sha256 } from "../../../lib/dynamodb/client.ts";

const hexOf = async (sha256: InstanceType<typeof Sha256>) =>
  Buffer.from(await sha256.digest()).toString("hex");

// No engine checks a signature, so that only AWS would notice a wrong one.
describe("SHA-256 for signatures", () => {
  const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  it("hashes (FIPS 180-2, example B.1)", async () => {
    const sha256 = new Sha256();
    sha256.update(Buffer.from("ab"));
    sha256.update(Buffer.from("c"));
    expect(await hexOf(sha256)).toBe(abc);
  });

  it.each(["Jefe", new Uint8Array([0, ...Buffer.from("Jefe")]).subarray(1)])(
    "computes an HMAC (RFC 4231, test case 2)",
    async (key) => {
      const sha256 = new Sha256(key);
      sha256.update(Buffer.from("what do ya want for nothing?"));
      expect(await hexOf(sha256)).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    },
  );
});
