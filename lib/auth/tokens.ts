import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { ApiError } from "../domain/errors.ts";
import type { SecretValues } from "./secrets.ts";

/** How long a token is valid (specification, "Scheme 2: bearer token", 2). */
export const TOKEN_LIFETIME_MS = 30 * 60_000;
const ALGORITHM = "HS256";

interface TokensOptions {
  /** The signing secrets that are active: the first signs, all verify. */
  readonly secrets: SecretValues;
  readonly now: () => Date;
}

/** Bearer tokens: who logged in, signed with HS256, for half an hour. */
export class Tokens {
  readonly #secrets: SecretValues;
  readonly #now: () => Date;

  constructor({ secrets, now }: TokensOptions) {
    this.#secrets = secrets;
    this.#now = now;
  }

  /**
   * Makes a token.
   *
   * @param username whom it names
   * @returns a JWT with the claims `sub` and `exp`, and nothing else
   * @throws ApiError `ServiceUnavailable` when the signing secrets cannot be had
   */
  async issue(username: string): Promise<string> {
    const [secret = ""] = await this.#secrets();
    return new SignJWT({})
      .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
      .setSubject(username)
      .setExpirationTime(Math.floor((this.#now().getTime() + TOKEN_LIFETIME_MS) / 1_000))
      .sign(keyOf(secret));
  }

  /**
   * Checks a token (specification, "Scheme 2: bearer token", 4). One that no known secret has signed is tried
   * once more with the secrets as they are now, since they may have been rotated.
   *
   * @param token what the client sent
   * @returns the username that it names
   * @throws ApiError `Unauthorized` in the specification's words
   * @throws ApiError `ServiceUnavailable` when the signing secrets cannot be had
   */
  async verify(token: string): Promise<string> {
    const known = await this.#secrets();
    let payload = await this.#payload(token, known);
    if (payload === undefined) {
      const fresh = (await this.#secrets("fresh")).filter((secret) => !known.includes(secret));
      payload = await this.#payload(token, fresh);
    }
    if (payload === undefined) throw invalidToken();
    // jose has checked what it is, where it is there; what it does not say is what kind of failure its absence is.
    if (payload.sub === undefined || payload.sub === null)
      throw unauthorized("Invalid authentication credentials");
    if (typeof payload.sub !== "string") throw invalidToken();
    return payload.sub;
  }

  /** The claims of a valid token, or undefined when none of the secrets has signed it. */
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

/**
 * The failure of a token that is none, or of a missing one.
 *
 * @param cause why, for the log
 */
export function invalidToken(cause?: unknown): ApiError {
  return unauthorized("Could not validate credentials", cause);
}

/**
 * A failure of the bearer scheme: it tells the client how to authenticate (RFC 6750, 3).
 *
 * @param message the specification's words
 */
export function unauthorized(message: string, cause?: unknown): ApiError {
  return new ApiError("Unauthorized", message, { cause, headers: { "www-authenticate": "Bearer" } });
}

function keyOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
