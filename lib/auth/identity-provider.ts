import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { unavailable } from "../aws.ts";
import { ADMIN_ROLE, DEFAULT_ROLE, roleNames } from "../domain/roles.ts";
import { isSubject, SUBJECT_PREFIX } from "../validators/account.ts";
import { cached } from "./cached.ts";
import { invalidToken, type TokenOwner, unauthorized } from "./tokens.ts";

/** The setting `issuer` (docs/settings.md). */
export interface Issuer {
  readonly url: string;
  readonly audience: string;
  /** The claims with the name to show and with the roles, or their paths, such as `realm_access.roles`. */
  readonly name?: string | undefined;
  readonly role?: string | undefined;
}

/** A key that the provider removes is refused everywhere after this time. */
const REREAD_AFTER_MS = 10 * 60_000;
const MIN_REREAD_INTERVAL_MS = 60_000;
const TIMEOUT_MS = 3_000;
const CLOCK_TOLERANCE_SECONDS = 5;
/** Those that have public keys. */
const algorithms = ["EdDSA", ...["RS", "PS", "ES"].flatMap((name) => [256, 384, 512].map((n) => name + n))];

/**
 * Verifies tokens of an identity provider with the keys that it publishes; those that a token names are ignored.
 * @returns finds the owner of a token; undefined if another issuer's. It throws ApiError `Unauthorized`, or
 *   `ServiceUnavailable` if no keys could be read yet
 */
export function identityProvider({ url, audience, ...claims }: Issuer, now = Date.now) {
  const keys = cached(() => readKeys(url), now, REREAD_AFTER_MS, MIN_REREAD_INTERVAL_MS);
  const verify = async (token: string, freshness?: "fresh") =>
    jwtVerify(token, await keys(freshness), {
      issuer: url,
      algorithms,
      requiredClaims: ["exp", "sub"],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now()),
    });
  return async (token: string): Promise<TokenOwner | undefined> => {
    if (issuerOf(token) !== url) return undefined;
    const { payload } = await verify(token)
      .catch((error) => {
        if (error instanceof errors.JWKSNoMatchingKey) return verify(token, "fresh");
        throw error;
      })
      .catch((error) => {
        if (error instanceof errors.JWTExpired) throw unauthorized("Token has expired", error);
        throw error instanceof errors.JOSEError ? invalidToken(error) : error;
      });
    const username = `${SUBJECT_PREFIX}${payload.sub}`;
    // Some providers name the client instead, as Cognito does in access tokens.
    const audiences = [payload.aud ?? payload.client_id].flat();
    if (!audiences.includes(audience) || typeof payload.sub !== "string" || !isSubject(username))
      throw invalidToken();
    const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
    const given = [claimOf(payload, claims.role)].flat();
    // An administrator may do whatever other roles may.
    const known = [ADMIN_ROLE, ...roleNames.filter((each) => each !== DEFAULT_ROLE)];
    const role = known.find((each) => given.includes(each)) ?? DEFAULT_ROLE;
    const name = textOf(claimOf(payload, claims.name));
    return { username, email: textOf(payload.email) ?? "", role, name };
  };
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function claimOf(payload: JWTPayload, name = ""): unknown {
  const step = (value: unknown, part: string) => (value as Record<string, unknown> | undefined)?.[part];
  return payload[name] ?? name.split(".").reduce(step, payload);
}

async function readKeys(url: string): Promise<ReturnType<typeof createLocalJWKSet>> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const read = async (address: string) => {
    const response = await fetch(address, {
      redirect: "error",
      signal,
      headers: { accept: "application/json" },
    });
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return response.json();
  };
  try {
    const document = await read(`${url.replace(/\/$/, "")}/.well-known/openid-configuration`);
    const { issuer, jwks_uri: keysUrl = "" } = document as { issuer?: string; jwks_uri?: string };
    const isSecure = keysUrl.startsWith(url.startsWith("https:") ? "https:" : "http");
    if (issuer !== url || !isSecure) throw new Error(`${url} is ${issuer}, with keys at ${keysUrl}`);
    return createLocalJWKSet((await read(keysUrl)) as JSONWebKeySet);
  } catch (error) {
    throw unavailable("The identity provider", error as Error);
  }
}
