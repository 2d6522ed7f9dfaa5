import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from "node:crypto";

/**
 * SHA-256 for the SDK's signatures. The SDK's own passes keys as bytes, for which `createHmac` of Node 24 throws and
 * catches an error: with its stack, that takes four times as long as the rest.
 */
export class Sha256 {
  readonly #create: () => Hash | Hmac;
  #hash: Hash | Hmac;

  /** @param secret for an HMAC; the SDK passes text or bytes */
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key = typeof secret === "object" ? createSecretKey(secret as Uint8Array) : secret;
    this.#create = () => (key === undefined ? createHash("sha256") : createHmac("sha256", key));
    this.#hash = this.#create();
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#create();
  }
}
