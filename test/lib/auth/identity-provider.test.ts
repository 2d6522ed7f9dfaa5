import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { admin, anyone, type BearerDependencies, bearer } from "../../../lib/auth/authorizers.ts";
import { identityProvider } from "../../../lib/auth/identity-provider.ts";
import { Tokens, useProvider } from "../../../lib/auth/tokens.ts";

const MINUTE = 60_000;
const url = "https://login.example.com/realm";
const attacker = "https://attacker.example.com/keys";
const issuer = { url, audience: "api", name: "nick", role: "access.roles", algorithms: ["RS256", "ES256"] };

const pairs = {
  rsa: await generateKeyPair("RS256", { extractable: true }),
  ec: await generateKeyPair("ES256", { extractable: true }),
  foreign: await generateKeyPair("RS256", { extractable: true }),
};
type Key = keyof typeof pairs;
const jwkOf = async (kid: Key): Promise<JWK> => ({ ...(await exportJWK(pairs[kid].publicKey)), kid });
const foreignJwk = await jwkOf("foreign");
const ownKeys = [await jwkOf("rsa"), await jwkOf("ec")];
const pem = await exportSPKI(pairs.rsa.publicKey);
const invalid = { code: "Unauthorized", message: "Could not validate credentials" };
const discovery = "/.well-known/openid-configuration";

/** @param changes of the setting */
function setUp(changes: object = {}) {
  const state = {
    now: Date.parse("2026-01-01"),
    fetched: [] as string[],
    isDown: false,
    /** What the provider publishes, by address. */
    documents: {
      [url + discovery]: { issuer: url, jwks_uri: `${url}/keys` },
      [`${url}/keys`]: { keys: ownKeys },
      [attacker]: { keys: [foreignJwk] },
    } as Record<string, object>,
  };
  vi.stubGlobal("fetch", async (address: string) => {
    state.fetched.push(address);
    if (state.isDown) throw new TypeError("fetch failed");
    const document = state.documents[address];
    return new Response(JSON.stringify(document), { status: document ? 200 : 404 });
  });
  const provider = identityProvider({ ...issuer, ...changes }, () => state.now);
  const claims = (own: object = {}) => {
    const exp = Math.floor(state.now / 1_000) + 600;
    return { iss: url, aud: "api", sub: "42", exp, ...own };
  };
  const sign = (own: object = {}, key: Key = "rsa", header: Partial<JWTHeaderParameters> = {}) =>
    new SignJWT(claims(own))
      .setProtectedHeader({ alg: key === "ec" ? "ES256" : "RS256", kid: key, ...header })
      .sign(pairs[key].privateKey);
  return { state, provider, claims, sign, keyFetches: () => state.fetched.length - 1 };
}

afterEach(() => vi.unstubAllGlobals());

describe("a provider's token", async () => {
  it.each(["rsa", "ec"] as const)("signed with its key %s is its subject's", async (key) => {
    const { provider, sign } = setUp();
    const email = "ada@example.com";
    const token = await sign({ nick: "Ada", email, access: { roles: ["admin"] } }, key);
    const owner = { username: "idp|42", name: "Ada", email, role: "admin" };
    expect(await provider.ownerOf(token)).toEqual(owner);
  });

  it.each([
    [{}, { email: "", role: "user", name: undefined }],
    [{ access: { roles: "admin" } }, { role: "admin" }],
    [{ "access.roles": ["x", "admin"], access: { roles: ["user"] } }, { role: "admin" }],
    [{ access: { roles: ["Admin", "administrator", null] } }, { role: "user" }],
    [{ nick: 5 }, { name: undefined }],
    [{ email: ["a@b"] }, { email: "" }],
    [{ aud: ["other", "api"] }, { username: "idp|42" }],
    [{ aud: undefined, client_id: "api" }, { username: "idp|42" }],
  ])("with the claims %j has %j", async (claims, expected) => {
    const { provider, sign } = setUp();
    expect(await provider.ownerOf(await sign(claims))).toMatchObject(expected);
  });

  const { claims, sign } = setUp();
  const now = claims().exp - 600;
  const hmac = (secret: string) =>
    new SignJWT(claims()).setProtectedHeader({ alg: "HS256", kid: "rsa" }).sign(Buffer.from(secret));
  const changed = async () => {
    const payload = Buffer.from(JSON.stringify(claims({ sub: "1" })));
    return (await sign()).replace(/\.[^.]+/, `.${payload.toString("base64url")}`);
  };
  const hostile: Readonly<Record<string, string | Promise<string>>> = {
    "for another audience": sign({ aud: ["other"] }),
    "for no audience": sign({ aud: undefined }),
    "for an audience, of a client with its name": sign({ aud: "other", client_id: "api" }),
    "with the public key as a secret": hmac(pem),
    "with an algorithm that is not set": importJWK(await exportJWK(pairs.rsa.privateKey), "PS256").then(
      (key) => new SignJWT(claims()).setProtectedHeader({ alg: "PS256", kid: "rsa" }).sign(key),
    ),
    "without a signature": new UnsecuredJWT(claims()).encode(),
    "with other claims than were signed": changed(),
    "of another key": sign({}, "foreign", { kid: "rsa" }),
    "of another key, without a kid": sign({}, "foreign", { kid: undefined as never }),
    "of a key at an address in the token": sign({}, "foreign", { kid: "rsa", jku: attacker }),
    "of a certificate at an address in the token": sign({}, "foreign", { kid: "rsa", x5u: attacker }),
    "of a key in the token": sign({}, "foreign", { kid: "rsa", jwk: foreignJwk }),
    "with a critical header that is unknown": sign().then(async (token) => {
      const header = Buffer.from(JSON.stringify({ alg: "RS256", kid: "rsa", crit: ["x"], x: 1 }));
      return token.replace(/^[^.]+/, header.toString("base64url"));
    }),
    "that is not valid yet": sign({ nbf: now + 60 }),
    "that never expires": sign({ exp: undefined }),
    "of no subject": sign({ sub: undefined }),
    "of a number": sign({ sub: 42 }),
    "of a subject that disguises a log line": sign({ sub: "a\nb" }),
    "of a subject that is too long": sign({ sub: "x".repeat(256) }),
  };

  it.each(Object.keys(hostile))("%s is refused", async (name) => {
    const { provider, state } = setUp();
    await expect(provider.ownerOf((await hostile[name]) ?? "")).rejects.toMatchObject(invalid);
    expect(state.fetched).not.toContain(attacker);
  });

  it("that has expired is refused in the specification's words, five seconds later", async () => {
    const { provider, state, sign } = setUp();
    const token = await sign({ exp: state.now / 1_000 });
    state.now += 4_999;
    expect(await provider.ownerOf(token)).toBeDefined();
    state.now += 1;
    await expect(provider.ownerOf(token)).rejects.toMatchObject({ message: "Token has expired" });
  });

  it.each([
    ["of another issuer", () => sign({ iss: `${url}/` })],
    ["of the service", () => new Tokens({ secrets: async () => ["x"], now: () => new Date() }).issue("ada")],
    ["that is none", () => "a.b.c"],
  ])("%s is another's, without a fetch", async (_, create) => {
    const { provider, state } = setUp();
    expect(await provider.ownerOf(await create())).toBeUndefined();
    expect(state.fetched).toEqual([]);
  });
});

describe("the keys of a provider", () => {
  it("are fetched once for many, and once a minute for unknown ones", async () => {
    const { provider, state, sign, keyFetches } = setUp();
    const unknown = async (i: number) => provider.ownerOf(await sign({}, "foreign", { kid: `${i}` }));
    const flood = () => Promise.allSettled([...Array(50).keys()].map(unknown));
    await Promise.all([...Array(20)].map(async () => provider.ownerOf(await sign())));
    await flood();
    expect(keyFetches()).toBe(1);
    state.now += MINUTE - 1;
    await flood();
    expect(keyFetches()).toBe(1);
    state.now += 1;
    await flood();
    await flood();
    expect(keyFetches()).toBe(2);
  });

  it("are used a minute after they appear, and no longer than ten after they are gone", async () => {
    const { provider, state, sign } = setUp();
    await provider.ownerOf(await sign());
    state.documents[`${url}/keys`] = { keys: [foreignJwk] };
    state.now += MINUTE;
    expect(await provider.ownerOf(await sign({}, "foreign"))).toBeDefined();
    await expect(provider.ownerOf(await sign())).rejects.toMatchObject(invalid);
    state.documents[`${url}/keys`] = { keys: [] };
    state.now += 10 * MINUTE - 1;
    expect(await provider.ownerOf(await sign({}, "foreign"))).toBeDefined();
    state.now += 1;
    await expect(provider.ownerOf(await sign({}, "foreign"))).rejects.toMatchObject(invalid);
  });

  it("stay in use during an outage, with an attempt a minute, also if they move", async () => {
    const { provider, state, sign, keyFetches } = setUp();
    await provider.ownerOf(await sign());
    state.isDown = true;
    state.now += 60 * MINUTE;
    for (let i = 0; i < 5; i += 1) expect(await provider.ownerOf(await sign())).toBeDefined();
    expect(keyFetches()).toBe(2);
    await expect(provider.ownerOf(await sign({}, "foreign"))).rejects.toMatchObject(invalid);
    state.isDown = false;
    state.documents[url + discovery] = { issuer: url, jwks_uri: `${url}/moved` };
    state.documents[`${url}/moved`] = { keys: [foreignJwk] };
    state.now += MINUTE;
    expect(await provider.ownerOf(await sign({}, "foreign"))).toBeDefined();
  });

  it.each([
    ["cannot be reached", undefined],
    ["is another", { [url + discovery]: { issuer: `${url}2`, jwks_uri: `${url}/keys` } }],
    ["has them without TLS", { [url + discovery]: { issuer: url, jwks_uri: `http${url.slice(5)}/keys` } }],
    ["publishes none", { [`${url}/keys`]: { keys: 1 } }],
  ])("make the service unavailable until they were read once, if it %s", async (_, changed) => {
    const { provider, state, sign } = setUp();
    const { documents } = state;
    Object.assign(state, { isDown: changed === undefined, documents: { ...documents, ...changed } });
    await expect(provider.ownerOf(await sign())).rejects.toMatchObject({
      code: "ServiceUnavailable",
      message: "The identity provider is unavailable right now; try again",
    });
    Object.assign(state, { isDown: false, documents });
    expect(await provider.ownerOf(await sign())).toBeDefined();
  });

  it("are found where the address of the provider ends in a slash", async () => {
    const { provider, state, sign } = setUp({ url: `${url}/` });
    state.documents[url + discovery] = { issuer: `${url}/`, jwks_uri: `${url}/keys` };
    expect(await provider.ownerOf(await sign({ iss: `${url}/` }))).toBeDefined();
  });
});

describe("with a provider, the authorizers", () => {
  const tokens = new Tokens({ secrets: async () => ["secret"], now: () => new Date() });
  const own = { username: "ada", email: "ada@example.com", role: "user" };
  const getProfile = async (name: string) => (name === "ada" ? { ...own, tokenVersion: 0 } : undefined);
  const dependencies: BearerDependencies = { tokens, accounts: { getProfile } };
  let given: ReturnType<typeof setUp>;
  beforeEach(() => {
    given = setUp();
    useProvider(given.provider);
  });
  afterEach(() => useProvider(undefined));
  const headers = async (token: string | Promise<string>) => ({ authorization: `Bearer ${await token}` });

  it("let in whom it names, with the role that it says, and the service's own accounts", async () => {
    const { sign } = given;
    const user = await headers(sign());
    expect(await bearer.authorize(user, dependencies)).toMatchObject({ username: "idp|42", role: "user" });
    await expect(admin.authorize(user, dependencies)).rejects.toMatchObject({ code: "Forbidden" });
    const administrator = await headers(sign({ access: { roles: ["admin"] } }));
    expect(await admin.authorize(administrator, dependencies)).toMatchObject({ role: "admin" });
    expect(await (await anyone.authorize(administrator, dependencies))()).toBe(true);
    expect(await bearer.authorize(await headers(tokens.issue("ada")), dependencies)).toEqual(own);
  });

  it.each([{}, { authorization: "Bearer x" }])("say in a 401 where tokens are from: %j", async (sent) => {
    const headers = { "www-authenticate": `Bearer realm="${url}"` };
    await expect(bearer.authorize(sent, dependencies)).rejects.toMatchObject({ headers });
  });
});
