import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { unavailable } from "../aws.ts";
import { ADMIN_ROLE, DEFAULT_ROLE, roleNames } from "../domain/roles.ts";
import { isSubject, SUBJECT_PREFIX } from "../validators/account.ts";
import { cached } from "./cached.ts";
import { invalidToken, type Provider, unauthorized } from "./tokens.ts";

/** The setting `issuer` (docs/settings.md). */
export interface Issuer {
  readonly url: string;
  readonly audience: string;
  /** The claims with the name to show and with the roles, or their paths, such as `realm_access.roles`. */
  readonly name?: string | undefined;
  readonly role?: string | undefined;
  readonly algorithms: readonly string[];
  /** `closed` if no account of the service's own can log in. */
  readonly login?: string | undefined;
}

/** A key that the provider removes is refused everywhere after this time. */
const REREAD_AFTER_MS = 10 * 60_000;
const MIN_REREAD_INTERVAL_MS = 60_000;
const TIMEOUT_MS = 3_000;
const CLOCK_TOLERANCE_SECONDS = 5;

/**
 * Verifies tokens of an identity provider with the keys that it publishes; those that a token names are ignored.
 * `ownerOf` throws ApiError `Unauthorized`, or `ServiceUnavailable` if no keys could be read yet.
 */
export function identityProvider(issuer: Issuer, now = Date.now): Provider {
  const { url, audience, algorithms } = issuer;
  const keys = cached(keyReader(url), now, REREAD_AFTER_MS, MIN_REREAD_INTERVAL_MS);
  const verify = async (token: string, freshness?: "fresh") =>
    jwtVerify(token, await keys(freshness), {
      issuer: url,
      algorithms: [...algorithms],
      requiredClaims: ["exp", "sub"],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now()),
    });
  async function ownerOf(token: string) {
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
    const given = [claimOf(payload, issuer.role)].flat();
    // An administrator may do whatever other roles may.
    const known = [ADMIN_ROLE, ...roleNames.filter((each) => each !== DEFAULT_ROLE)];
    const role = known.find((each) => given.includes(each)) ?? DEFAULT_ROLE;
    const name = textOf(claimOf(payload, issuer.name));
    return { username, email: textOf(payload.email) ?? "", role, name };
  }
  return { challenge: `Bearer realm="${url}"`, ownerOf };
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

/** @returns reads the keys at the address in the discovery document, which is read first, and after a failure */
function keyReader(url: string): () => Promise<ReturnType<typeof createLocalJWKSet>> {
  let keysUrl: string | undefined;
  return async () => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      keysUrl ??= await discoverKeys(url, signal);
      return createLocalJWKSet((await fetchJson(keysUrl, signal)) as JSONWebKeySet);
    } catch (error) {
      // They may have moved.
      keysUrl = undefined;
      throw unavailable("The identity provider", error as Error);
    }
  };
}

async function discoverKeys(url: string, signal: AbortSignal): Promise<string> {
  const document = await fetchJson(`${url.replace(/\/$/, "")}/.well-known/openid-configuration`, signal);
  const { issuer, jwks_uri: keysUrl = "" } = document as { issuer?: string; jwks_uri?: string };
  const isSecure = keysUrl.startsWith(url.startsWith("https:") ? "https:" : "http");
  if (issuer !== url || !isSecure) throw new Error(`${url} is ${issuer}, with keys at ${keysUrl}`);
  return keysUrl;
}

async function fetchJson(address: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(address, {
    redirect: "error",
    signal,
    headers: { accept: "application/json" },
  });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}
