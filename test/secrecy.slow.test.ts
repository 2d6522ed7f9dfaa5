import { afterAll, describe, expect, it } from "vitest";
import { allRoutes, routesByArea } from "../functions/definitions.ts";
import { mapConcurrently } from "../lib/dynamodb/query.ts";
import type { Route } from "../lib/http/route.ts";
import { faultyEngine } from "./support/database/faulty-engine.ts";
import { createHttpClient, type HttpRequest } from "./support/http-client.ts";
import { runInMemory } from "./support/programs/run.ts";

/** What a deployment keeps secret, every value recognisable wherever it might turn up. */
const secretValues = {
  AdminPassword: "Recognisable-admin-password-1",
  ApiKeys: "recognisable-key-one,recognisable-key-two",
  SigningSecrets: "recognisable signing secret number one,recognisable signing secret number two",
};
const [apiKey = ""] = secretValues.ApiKeys.split(",");
const password = "Recognisable-password-1";
const alice = { username: "alice", email: "alice@example.com", password };
const admin = { username: "admin", password: secretValues.AdminPassword };
/** What somebody sends by mistake where it does not belong. */
const stray = "recognisable-stray-1A";
const marks = ["recognisable", "$argon2"];

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const query = `username=alice&password=${stray}&token=${stray}&api_key=${stray}&q=`;

const fields = { password: stray, token: stray, username: { stray }, title: [stray], name: [stray] };
/** Bodies that are none, or not what any route wants. */
const bodies: readonly Uint8Array[] = [
  ...[`{"password":"${stray}"`, stray, `\xff${stray}`],
  ...[stray, [stray], [{ password: stray }], fields].map((body) => JSON.stringify(body)),
].map((body) => Buffer.from(body, "latin1"));

/** Registrations and logins, valid and invalid. */
const passwords = [password, "", stray, stray.toUpperCase(), `${password}\ud800`, password.repeat(200)];
const accountBodies: readonly unknown[] = [
  ...[...passwords, [password], { [password]: password }].map((each) => ({ ...alice, password: each })),
  { password },
  [password],
];

const credentialsOfAllSorts = [
  { authorization: `Bearer ${stray}` },
  { authorization: `Basic ${stray}` },
  { authorization: stray },
  { "x-api-key": stray },
  { cookie: `session=${stray}`, "x-forwarded-user": stray },
];

interface Exchange {
  readonly sent: string;
  readonly status: number;
  /** Every header and the body of the response. */
  readonly response: string;
}

/**
 * An item is echoed as it was sent, and the structured 404 repeats the request's URL (specification,
 * "Generic items and paged items" and "Structured handlers"): there a client gets back what it has sent itself.
 */
function requestsTo({ method, pattern, errorFormat, request, responses }: Route): HttpRequest[] {
  const echoesUrl = errorFormat === "structured";
  const echoesBody = request.body !== undefined && request.body === responses[201];
  const target = pattern.replaceAll(/\{\w+\}/g, "1");
  const targets = echoesUrl ? [] : [target, pattern.replaceAll(/\{\w+\}/g, stray)];
  const sent = echoesBody || method === "GET" ? [] : bodies;
  return [
    ...credentialsOfAllSorts.map((headers) => ({ method, target, headers })),
    ...targets.map((each) => ({ method, target: `${each}?${query}` })),
    ...sent.map((body) => ({ method, target, headers: json, body })),
  ];
}

const unknownPaths = [`/${stray}`, `/auth/login/${stray}`];
const unknownTargets = ["/auth/login", `/api/${stray}`, "/errors/500"].map((path) => `${path}?${query}`);
const strayHeaders = { authorization: `Bearer ${stray}`, "x-api-key": stray };

/** What matches no route, and what no function ever sees. */
const unknownRequests: readonly HttpRequest[] = [
  ...["GET", "POST", "DELETE", "PURGE", "HEAD", "OPTIONS"].flatMap((method) =>
    [...unknownPaths, ...unknownTargets].map((target) => ({ method, target, headers: strayHeaders })),
  ),
  { method: "POST", target: `/auth/login/?${query}` },
  { method: "POST", target: "/users/", headers: form, body: Buffer.from(query) },
  { method: "GET", target: `/%zz${stray}` },
  { method: "POST", target: "/users/", body: Buffer.from(stray.repeat(600_000)) },
  { method: "GET", target: "/health", headers: { "x-large": stray.repeat(1_000) } },
];

/** Whether there are routes with an error on purpose. */
const hasErrors = "demonstration" in routesByArea;

describe("secrets", async () => {
  const proxy = await faultyEngine("");
  const run = await runInMemory({
    awsProxy(awsUrl) {
      proxy.endpoint = awsUrl;
      return proxy.url;
    },
    secrets: secretValues,
    environment: { AWS_LAMBDA_LOG_LEVEL: "TRACE" },
  });
  const lenient = createHttpClient(new URL(run.url), 32);
  const strict = createHttpClient(new URL(await run.addGateway("strict")), 32);
  afterAll(async () => {
    lenient.close();
    strict.close();
    await run.close();
    await proxy.close();
  });

  async function exchange(request: HttpRequest, client = lenient): Promise<Exchange> {
    const { status, headers, text } = await client.send(request);
    const sent = `${request.method} ${request.target}`;
    return { sent, status, response: JSON.stringify(headers) + text };
  }

  const post = (target: string, body: unknown, headers = {}) =>
    exchange({ method: "POST", target, headers, body });

  async function logIn(credentials: object): Promise<string> {
    const { status, response } = await post("/auth/login", credentials);
    const [, token] = /"access_token":"([^"]+)"/.exec(response) ?? [];
    if (status !== 200 || token === undefined) throw new Error(`The login answered ${status}`);
    return token;
  }

  /** Uses what is secret where it belongs, and in ways that are wrong. */
  async function useAll(): Promise<Exchange[]> {
    const [user = "", administrator = ""] = tokens;
    const bearers = [user, administrator, `${user}x`, user.slice(1), password];
    const authorizations = [...bearers.map((token) => `Bearer ${token}`), user, `Basic ${user}`];
    const admin = { authorization: `Bearer ${administrator}` };
    const others = [`username=alice&password=${password}x`, `password=${password}`, `username=${password}`];
    const found: Exchange[] = [];
    const get = async (target: string, headers: Readonly<Record<string, string>>) =>
      found.push(await exchange({ method: "GET", target, headers }));
    const send = async (target: string, body?: unknown, headers = {}) =>
      found.push(await post(target, body, headers));
    for (const target of ["/users/me", "/admin/users"])
      for (const authorization of authorizations) await get(target, { authorization });
    for (const target of ["/api/protected", "/api/v2/users", "/api/none"])
      await get(target, { "x-api-key": apiKey });
    await send("/products", { name: "Lamp", password: stray }, admin);
    for (const body of accountBodies) {
      await send("/users/", body);
      await send("/users/batch", [body, body]);
      await send("/auth/login", body);
    }
    for (const login of [query, ...others]) {
      await send(`/auth/login?${login}`);
      await send("/auth/login", Buffer.from(login), form);
    }
    return found;
  }

  const registered = await post("/users/", alice);
  const tokens = [await logIn(alice), await logIn(admin)];
  const all = [...allRoutes.flatMap(requestsTo), ...unknownRequests];
  const exchanges = [
    registered,
    ...(await useAll()),
    ...(await mapConcurrently(all, (request) => exchange(request))),
    // The gateways differ in what reaches a function.
    ...(await mapConcurrently(unknownRequests, (request) => exchange(request, strict))),
  ];

  /** Also a token's signature alone. */
  const secrets = () => [...marks, ...tokens.flatMap((token) => [token, token.replace(/.*\./, "")])];
  const holdsSecret = (text: string) =>
    secrets().some((secret) => text.toLowerCase().includes(secret.toLowerCase()));

  it("are sent everywhere, with every kind of response", () => {
    const statuses = new Set(exchanges.map(({ status }) => status));
    const expected = [200, 201, 308, 400, 401, 403, 404, 405, 409, 413, 422, 429, 431];
    expect([...statuses]).toEqual(expect.arrayContaining(expected));
    expect(statuses.has(500)).toBe(hasErrors);
    expect(statuses).not.toContain(503);
    expect(exchanges.length).toBeGreaterThan(5 * allRoutes.length);
  });

  it("are in no response, except a token in the response to its login", () => {
    expect(exchanges.filter(({ response }) => holdsSecret(response))).toEqual([]);
  });

  it("are in no line of the log, nor in the metrics", () => {
    const texts = run.lines.map(({ text }) => text);
    for (const part of ['"message":"request"', '"_aws"'])
      expect(texts.filter((text) => text.includes(part)).length).toBeGreaterThan(5 * allRoutes.length);
    expect(texts.some((text) => text.includes('"message":"request failed"'))).toBe(hasErrors);
    expect(texts.filter(holdsSecret)).toEqual([]);
  });

  it.each([
    ["every call to AWS fails unexpectedly", { rewrite: () => ({}) }, 500, "AccessDenied"],
    ["nothing can be reached", { plan: () => "reset" }, 503, "ECONNRESET"],
  ] as const)("are in no response and no log if %s", async (_, faults, status, cause) => {
    const before = run.lines.length;
    Object.assign(proxy, faults);
    const responses = await useAll();
    const texts = run.lines.slice(before).map(({ text }) => text);

    expect(responses.map((response) => response.status)).toContain(status);
    expect(texts.join("\n")).toContain(cause);
    expect([...responses.map(({ response }) => response), ...texts].filter(holdsSecret)).toEqual([]);
  });
});
