import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { ApiError } from "../domain/errors.ts";
import type { Account } from "../validators/account.ts";
import type { SecretValues } from "./secrets.ts";

export const TOKEN_LIFETIME_MS = 30 * 60_000;
const ALGORITHM = "HS256";

/** Whose token it is. An identity provider's accounts can have a name to show besides. */
export type TokenOwner = Account & { readonly name?: string | undefined };

export interface Provider {
  readonly challenge: string;
  /** @returns undefined for the token of another issuer @throws ApiError for an own one that is refused */
  ownerOf(token: string): Promise<TokenOwner | undefined>;
}

let provider: Provider | undefined;

/** Registers whose tokens are accepted besides the service's own, in a deployment with the setting `issuer`. */
export function useProvider(other: Provider | undefined): void {
  provider = other;
}

export function ownerByProvider(token: string): Promise<TokenOwner | undefined> | undefined {
  return provider?.ownerOf(token);
}

/** Issues and verifies bearer tokens, signed with HS256. Both throw as `SecretValues`. */
export class Tokens {
  readonly #secrets: SecretValues;
  readonly #now: () => Date;

  constructor({ secrets, now }: { readonly secrets: SecretValues; readonly now: () => Date }) {
    this.#secrets = secrets;
    this.#now = now;
  }

  /** A JWT with the claims `sub` and `exp`, and `ver` for an account whose earlier tokens have ended. */
  async issue(username: string, version = 0): Promise<string> {
    const [secret = ""] = await this.#secrets();
    return new SignJWT(version === 0 ? {} : { ver: version })
      .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
      .setSubject(username)
      .setExpirationTime(Math.floor((this.#now().getTime() + TOKEN_LIFETIME_MS) / 1_000))
      .sign(keyOf(secret));
  }

  /** Verifies a token (specification, "Scheme 2: bearer token", 4), also with freshly read secrets. */
  async verify(token: string): Promise<{ readonly username: string; readonly version: unknown }> {
    const payload =
      (await this.#payload(token, await this.#secrets())) ??
      (await this.#payload(token, await this.#secrets("fresh")));
    if (payload === undefined) throw invalidToken();
    if (payload.sub === undefined || payload.sub === null)
      throw unauthorized("Invalid authentication credentials");
    if (typeof payload.sub !== "string") throw invalidToken();
    return { username: payload.sub, version: payload.ver ?? 0 };
  }

  async #payload(token: string, secrets: readonly string[]): Promise<JWTPayload | undefined> {
    for (const secret of secrets) {
      try {
        const { payload } = await jwtVerify(token, keyOf(secret), {
          algorithms: [ALGORITHM],
          requiredClaims: ["exp"],
          currentDate: this.#now(),
        });
        return payload;
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw unauthorized("Token has expired", error);
        if (error instanceof errors.JWSSignatureVerificationFailed) continue;
        if (error instanceof errors.JOSEError) throw invalidToken(error);
        throw error;
      }
    }
    return undefined;
  }
}

export function invalidToken(cause?: unknown): ApiError {
  return unauthorized("Could not validate credentials", cause);
}

/** The header tells the client how to authenticate (RFC 6750, 3). */
export function unauthorized(message: string, cause?: unknown): ApiError {
  const headers = { "www-authenticate": provider?.challenge ?? "Bearer" };
  return new ApiError("Unauthorized", message, { cause, headers });
}

function keyOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
