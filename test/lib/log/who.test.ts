import { createHmac } from "node:crypto";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const context = { functionName: "function", functionVersion: "1", awsRequestId: "aws-1" } as Context;

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv("AWS_LAMBDA_LOG_LEVEL", "INFO");
});
afterEach(() => vi.unstubAllEnvs());

describe("the log line says who sent the request", () => {
  const address = "198.51.100.200";
  const login = "POST /auth/login";
  const batch = "POST /users/batch";
  const me = "GET /users/me";
  const keyRoute = "GET /api/protected";
  const ofToken = (version: number) => ({ authorization: `Bearer ${version}` });
  const longest = "x".repeat(50);

  type Case = [string, string, object | string, Record<string, string>, string | undefined, boolean?];
  const cases: Case[] = [
    ["the account of a token", me, "", ofToken(0), "ada"],
    ["the account of a token that has ended", me, "", ofToken(1), "ada"],
    ["the account, not what its body says", "PUT /users/me/password", { username: "eve" }, ofToken(0), "ada"],
    ["nobody for a token that is invalid", me, "", { authorization: "Bearer none" }, undefined],
    ["the name of a key", keyRoute, "", { "x-api-key": "named-key" }, "key:mobile-app"],
    ["the id of a key without a name", keyRoute, "", { "x-api-key": "OTHER:key" }, "key:d847cd88"],
    ["nobody for a wrong key", keyRoute, "", { "x-api-key": "mobile-app:named-key" }, undefined],
    ["who tried a login", login, { username: "eve", password: "x" }, {}, "eve", true],
    ["who tried a login without a password", `${login}?username=eve`, "", {}, "eve", true],
    ["both of two parameters", `${login}?username=eve&username=ada`, "", {}, "eve,ada", true],
    ["nobody for a login that is no JSON", login, "username", {}, undefined],
    ["nobody for a name that is no text", login, { username: { a: 1 }, password: "x" }, {}, undefined],
    ["who tried a registration", "POST /users/", { username: "eve", password: "x" }, {}, "eve", true],
    ["all of a batch", batch, [{ username: "eve" }, 1, null, { username: "b" }], {}, "eve,b", true],
    ["25 names", batch, Array(99).fill({ username: longest }), {}, Array(25).fill(longest).join(), true],
    ["no name that is too long", login, { username: "x".repeat(5_000), password: "x" }, {}, "-", true],
    ["no name that could be a password", login, { username: "Secret-1", password: "x" }, {}, "-", true],
    ...["a\nb", "a\u001b[2J", "a\u009b", "\u202eb", "\ud800", "é", "a,b", ""].map(
      (username): Case => ["no strange name", login, { username, password: "x" }, {}, "-", true],
    ),
  ];

  it.each(cases)("%s: %s", async (_, key, body, headers, account, isTried = false) => {
    expect(await whoSent(key, body, headers)).toEqual([account, isTried ? address : undefined]);
  });

  it("by digests in anonymous logs", async () => {
    vi.stubEnv("LOG_KEY", "the-key,a-former-key");
    const digest = (text: string) => createHmac("sha256", "the-key").update(text).digest("hex").slice(0, 16);
    const both = `${login}?username=eve&username=ada`;
    expect(await whoSent(both, "", {})).toEqual([`${digest("eve")},${digest("ada")}`, digest(address)]);
    expect(await whoSent(login, { username: "é", password: "x" }, {})).toEqual(["-", digest(address)]);
    expect(await whoSent(me, "", ofToken(0))).toEqual([digest("ada"), undefined]);
  });

  /** Account and address in the line of a request to the real routes, whose accounts, tokens and keys are simulated. */
  async function whoSent(key: string, body: object | string, headers: Record<string, string>) {
    const { createHandler } = await import("../../../lib/http/handler.ts");
    const { unauthorized } = await import("../../../lib/auth/tokens.ts");
    const load = (area: string) => import(`../../../functions/${area}/routes.ts`);
    const modules = await Promise.all(["accounts", "login", "api-key"].map(load));
    const routes = modules.flatMap((module) => module.routes);
    const refuse = () => Promise.reject(unauthorized("refused"));
    const verify = async (token: string) =>
      token === "none" ? refuse() : { username: "ada", version: Number(token) };
    const handler = createHandler(routes, () => () => ({
      tokens: { verify },
      accounts: { getProfile: async () => ({ username: "ada", role: "user", tokenVersion: 0 }) },
      keys: async () => ["OTHER:key", "mobile-app:named-key"],
      loginThrottle: { begin: refuse },
    }));
    const output: string[] = [];
    const write = vi
      .spyOn(process.stdout, "write")
      .mockImplementation((chunk) => output.push(String(chunk)) > 0);
    const [method = "", target = ""] = key.split(" ");
    const [rawPath, rawQueryString] = target.split("?");
    const event = {
      ...{ rawPath, rawQueryString, headers, body: typeof body === "string" ? body : JSON.stringify(body) },
      requestContext: { requestId: "request-1", http: { method, sourceIp: address } },
    };
    await handler(event as unknown as APIGatewayProxyEventV2, context);
    write.mockRestore();
    expect(output).toEqual([expect.stringMatching(/^[^\n]{1,2000}\n$/)]);
    const { account, sourceIp } = JSON.parse(output.join(""));
    return [account, sourceIp];
  }
});
