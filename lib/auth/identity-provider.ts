import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { unavailable } from "../aws.ts";
import { ADMIN_ROLE, DEFAULT_ROLE, roleNames } from "../domain/roles.ts";
import { isSubject, SUBJECT_PREFIX } from "../validators/account.ts";
import { cached } from "./cached.ts";
import { invalidToken, type Provider, type TokenOwner, unauthorized } from "./tokens.ts";

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

type Discovery = { readonly issuer?: string; readonly jwks_uri?: string };

/** A key that the provider removes is refused everywhere after this time. */
const REREAD_AFTER_MS = 10 * 60_000;
const MIN_REREAD_INTERVAL_MS = 60_000;
const TIMEOUT_MS = 3_000;
const CLOCK_TOLERANCE_SECONDS = 5;

/** Verifies tokens of an identity provider with the keys that it publishes; those that a token names are ignored. */
export class IdentityProvider implements Provider {
  readonly challenge: string;
  readonly #issuer: Issuer;
  readonly #now: () => number;
  readonly #keys: ReturnType<typeof cached<ReturnType<typeof createLocalJWKSet>>>;
  #keysUrl: string | undefined;

  constructor(issuer: Issuer, now: () => number) {
    this.#issuer = issuer;
    this.#now = now;
    this.#keys = cached(() => this.#readKeys(), now, REREAD_AFTER_MS, MIN_REREAD_INTERVAL_MS);
    this.challenge = `Bearer realm="${issuer.url}"`;
  }

  /** @throws ApiError `Unauthorized`, or `ServiceUnavailable` if no keys could be read yet */
  async ownerOf(token: string): Promise<TokenOwner | undefined> {
    try {
      if (decodeJwt(token).iss !== this.#issuer.url) return undefined;
    } catch {
      return undefined;
    }
    const payload = await this.#payload(token);
    const { email } = payload;
    const username = `${SUBJECT_PREFIX}${payload.sub}`;
    // Some providers name the client instead, as Cognito does in access tokens.
    const audiences = [payload.aud ?? payload.client_id].flat();
    if (!audiences.includes(this.#issuer.audience) || typeof payload.sub !== "string" || !isSubject(username))
      throw invalidToken();
    const name = claim(payload, this.#issuer.name);
    const given = [claim(payload, this.#issuer.role)].flat();
    // An administrator may do whatever other roles may.
    const known = [ADMIN_ROLE, ...roleNames.filter((each) => each !== DEFAULT_ROLE)];
    return {
      username,
      email: typeof email === "string" ? email : "",
      role: known.find((each) => given.includes(each)) ?? DEFAULT_ROLE,
      name: typeof name === "string" ? name : undefined,
    };
  }

  async #payload(token: string): Promise<JWTPayload> {
    const verify = async (freshness?: "fresh") => {
      const { payload } = await jwtVerify(token, await this.#keys(freshness), {
        issuer: this.#issuer.url,
        algorithms: [...this.#issuer.algorithms],
        requiredClaims: ["exp", "sub"],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(this.#now()),
      });
      return payload;
    };
    try {
      return await verify().catch((error) => {
        if (error instanceof errors.JWKSNoMatchingKey) return verify("fresh");
        throw error;
      });
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw unauthorized("Token has expired", error);
      throw error instanceof errors.JOSEError ? invalidToken(error) : error;
    }
  }

  async #readKeys() {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { url } = this.#issuer;
    try {
      if (this.#keysUrl === undefined) {
        const address = `${url.replace(/\/$/, "")}/.well-known/openid-configuration`;
        const { issuer, jwks_uri: keysUrl = "" } = await fetchJson<Discovery>(address, signal);
        const isSecure = keysUrl.startsWith(url.startsWith("https:") ? "https:" : "http");
        if (issuer !== url || !isSecure) throw new Error(`${url} is ${issuer}, with keys at ${keysUrl}`);
        this.#keysUrl = keysUrl;
      }
      return createLocalJWKSet(await fetchJson<JSONWebKeySet>(this.#keysUrl, signal));
    } catch (error) {
      // They may have moved.
      this.#keysUrl = undefined;
      throw unavailable("The identity provider", error as Error);
    }
  }
}

function claim(payload: JWTPayload, name = ""): unknown {
  const step = (value: unknown, part: string) => (value as Record<string, unknown> | undefined)?.[part];
  return payload[name] ?? name.split(".").reduce(step, payload);
}

async function fetchJson<T>(url: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(url, { redirect: "error", signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json() as Promise<T>;
}
