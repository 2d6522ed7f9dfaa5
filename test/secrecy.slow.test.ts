import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allRoutes, routesByArea } from "../functions/definitions.ts";
import { mapConcurrently } from "../lib/dynamodb/query.ts";
import type { Route } from "../lib/http/route.ts";
import { type FaultyEngine, faultyEngine } from "./support/database/faulty-engine.ts";
import { createHttpClient, type HttpClient, type HttpRequest } from "./support/http-client.ts";
import { type MemoryRun, runInMemory } from "./support/programs/run.ts";

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

/** Bodies that are none, or not what any route wants. */
const bodies: readonly Uint8Array[] = [
  `{"password":"${stray}"`,
  stray,
  JSON.stringify(stray),
  JSON.stringify([stray]),
  JSON.stringify([{ password: stray }]),
  JSON.stringify({ password: stray, token: stray, username: { stray }, title: [stray], name: [stray] }),
  `\xff${stray}`,
].map((body) => Buffer.from(body, "latin1"));

/** Registrations and logins, valid and invalid. */
const accountBodies: readonly unknown[] = [
  alice,
  { ...alice, password: "" },
  { ...alice, password: stray },
  { ...alice, password: stray.toUpperCase() },
  { ...alice, password: `${password}\ud800` },
  { ...alice, password: password.repeat(200) },
  { ...alice, password: [password] },
  { ...alice, password: { [password]: password } },
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
function echoes({ errorFormat, request, responses }: Route): {
  readonly body: boolean;
  readonly url: boolean;
} {
  return {
    body: request.body !== undefined && request.body === responses[201],
    url: errorFormat === "structured",
  };
}

function requestsTo(route: Route): HttpRequest[] {
  const { method, pattern } = route;
  const isEchoed = echoes(route);
  const target = pattern.replaceAll(/\{\w+\}/g, "1");
  const strange = pattern.replaceAll(/\{\w+\}/g, stray);
  return [
    ...credentialsOfAllSorts.map((headers) => ({ method, target, headers })),
    ...(isEchoed.url ? [] : [target, strange].map((each) => ({ method, target: `${each}?${query}` }))),
    ...(isEchoed.body || method === "GET"
      ? []
      : bodies.map((body) => ({ method, target, headers: json, body }))),
  ];
}

/** What matches no route, and what no function ever sees. */
const unknownRequests: readonly HttpRequest[] = [
  ...["GET", "POST", "DELETE", "PURGE", "HEAD", "OPTIONS"].flatMap((method) =>
    [
      `/${stray}`,
      `/auth/login/${stray}`,
      `/auth/login?${query}`,
      `/api/${stray}?${query}`,
      `/errors/500?${query}`,
    ].map((target) => ({
      method,
      target,
      headers: { authorization: `Bearer ${stray}`, "x-api-key": stray },
    })),
  ),
  { method: "POST", target: `/auth/login/?${query}` },
  { method: "POST", target: "/users/", headers: form, body: Buffer.from(query) },
  { method: "GET", target: `/%zz${stray}` },
  { method: "POST", target: "/users/", body: Buffer.from(stray.repeat(600_000)) },
  { method: "GET", target: "/health", headers: { "x-large": stray.repeat(1_000) } },
];

describe("secrets", () => {
  let run: MemoryRun;
  let proxy: FaultyEngine;
  let lenient: HttpClient;
  let strict: HttpClient;
  let exchanges: Exchange[];
  let tokens: string[];

  async function exchange(request: HttpRequest, client = lenient): Promise<Exchange> {
    const { status, headers, text } = await client.send(request);
    const sent = `${request.method} ${request.target}`;
    return { sent, status, response: JSON.stringify(headers) + text };
  }

  const post = (target: string, value: unknown, headers = {}) =>
    exchange({ method: "POST", target, headers, body: value });

  async function logIn(credentials: object): Promise<string> {
    const { status, response } = await post("/auth/login", credentials);
    const [, token] = /"access_token":"([^"]+)"/.exec(response) ?? [];
    if (status !== 200 || token === undefined) throw new Error(`The login answered ${status}`);
    return token;
  }

  /** Uses what is secret where it belongs, and in ways that are wrong. */
  async function useAll(): Promise<Exchange[]> {
    const [user = "", administrator = ""] = tokens;
    const authorizations = [
      ...[user, administrator, `${user}x`, user.slice(1), password].map((token) => `Bearer ${token}`),
      user,
      `Basic ${user}`,
    ];
    const admin = { authorization: `Bearer ${administrator}` };
    const logins = [
      query,
      `username=alice&password=${password}x`,
      `password=${password}`,
      `username=${password}`,
    ];
    const requests: HttpRequest[] = [
      ...["/users/me", "/admin/users"].flatMap((target) =>
        authorizations.map((authorization) => ({ method: "GET", target, headers: { authorization } })),
      ),
      ...["/api/protected", "/api/v2/users", "/api/none"].map((target) => ({
        method: "GET",
        target,
        headers: { "x-api-key": apiKey },
      })),
      { method: "POST", target: "/products", headers: admin, body: { name: "Lamp", password: stray } },
      ...accountBodies.flatMap((body) => [
        { method: "POST", target: "/users/", body },
        { method: "POST", target: "/users/batch", body: [body, body] },
        { method: "POST", target: "/auth/login", body },
      ]),
      ...logins.flatMap((login) => [
        { method: "POST", target: `/auth/login?${login}` },
        { method: "POST", target: "/auth/login", headers: form, body: Buffer.from(login) },
      ]),
    ];
    const found: Exchange[] = [];
    for (const request of requests) found.push(await exchange(request));
    return found;
  }

  beforeAll(async () => {
    proxy = await faultyEngine("");
    run = await runInMemory({
      awsProxy(awsUrl) {
        proxy.endpoint = awsUrl;
        return proxy.url;
      },
      secrets: secretValues,
      environment: { AWS_LAMBDA_LOG_LEVEL: "TRACE" },
    });
    lenient = createHttpClient(new URL(run.url), 32);
    strict = createHttpClient(new URL(await run.addGateway("strict")), 32);
    const registered = await post("/users/", alice);
    tokens = [await logIn(alice), await logIn(admin)];
    const requests = [...allRoutes.flatMap(requestsTo), ...unknownRequests];
    exchanges = [
      registered,
      ...(await useAll()),
      ...(await mapConcurrently(requests, (request) => exchange(request))),
      // The gateways differ in what reaches a function.
      ...(await mapConcurrently(unknownRequests, (request) => exchange(request, strict))),
    ];
  });
  afterAll(async () => {
    lenient.close();
    strict.close();
    await run.close();
    await proxy.close();
  });

  /** Also a token's signature alone. */
  const secrets = () => [...marks, ...tokens.flatMap((token) => [token, token.replace(/.*\./, "")])];
  const holdsSecret = (text: string) =>
    secrets().some((secret) => text.toLowerCase().includes(secret.toLowerCase()));

  // Of the demonstration, which a service may have removed.
  const onPurpose = "demonstration" in routesByArea ? [500] : [];

  it("are sent everywhere, with every kind of response", () => {
    const statuses = new Set(exchanges.map(({ status }) => status));
    const expected = [200, 201, 308, 400, 401, 403, 404, 405, 409, 413, 422, 429, 431, ...onPurpose];
    expect([...statuses]).toEqual(expect.arrayContaining(expected));
    expect(statuses).not.toContain(503);
    expect(exchanges.length).toBeGreaterThan(5 * allRoutes.length);
  });

  it("are in no response, except a token in the response to its login", () => {
    expect(exchanges.filter(({ response }) => holdsSecret(response))).toEqual([]);
  });

  it("are in no line of the log, nor in the metrics", () => {
    const texts = run.lines.map(({ text }) => text);
    expect(texts.filter((text) => text.includes('"message":"request"')).length).toBeGreaterThan(
      5 * allRoutes.length,
    );
    expect(texts.filter((text) => text.includes('"_aws"')).length).toBeGreaterThan(5 * allRoutes.length);
    const failed = texts.some((text) => text.includes('"message":"request failed"'));
    expect(failed).toBe(onPurpose.length > 0);
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
