import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { inProcess } from "../support/api/in-process.ts";
import { type SecretStore, startSecretStore } from "../support/data/secrets.ts";
import { engines, recordTable } from "../support/database/database.ts";

const [engine] = engines;
if (!engine) throw new Error("No engine is running");
const { endpoint } = engine;

/** Every password in this file contains it. */
const MARK = "Recognisable";
const password = `${MARK}1`;
const signingSecret = `${MARK} signing secret of the function`;
const alice = { username: "alice", email: "alice@example.com", password };

const output: string[] = [];
const levels = ["debug", "info", "warn", "error", "log", "trace"] as const;

/** Starts the function with its log in `output`. */
async function start(environment: Readonly<Record<string, string>>) {
  vi.resetModules();
  return inProcess({
    environment,
    routes: ["GET", "POST"].flatMap((method) => [
      { routeKey: `${method} /auth/login`, folder: "login" },
      { routeKey: `${method} /{proxy+}`, folder: "accounts" },
    ]),
  });
}

describe("passwords, tokens and secrets", () => {
  let store: SecretStore;
  let environment: Record<string, string>;
  beforeAll(async () => {
    store = await startSecretStore({ SigningSecrets: signingSecret });
    environment = {
      SIGNING_SECRETS_ARN: "arn:aws:secretsmanager:us-east-1:000000000000:secret:SigningSecrets",
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: store.url,
    };
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    // One for each test: wrong passwords throttle later logins.
    environment.ACCOUNTS_TABLE = await recordTable(endpoint, "S");
    output.length = 0;
    vi.stubEnv("AWS_LAMBDA_LOG_LEVEL", "TRACE");
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, "write").mockImplementation((chunk) => {
        output.push(String(chunk));
        return true;
      });
    for (const level of levels)
      vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
        output.push(parts.map(String).join(" "));
      });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  type Sender = Awaited<ReturnType<typeof start>>;
  type Headers = Record<string, string>;

  /** Sends passwords and tokens wherever clients could; returns each response as one text. */
  async function sendEverything(send: Sender, token: string) {
    const responses: { status: number; text: string }[] = [];
    const add = async (method: string, target: string, body?: string | Uint8Array, headers: Headers = {}) => {
      const response = await send({ method, target, headers, ...(body !== undefined && { body }) });
      responses.push({
        status: response.status,
        text: JSON.stringify([...response.headers]) + response.text,
      });
    };
    const users = [
      alice,
      { ...alice, password: "" },
      { ...alice, password: MARK },
      { ...alice, password: MARK.toLowerCase() + MARK },
      { ...alice, password: `${password}\ud800` },
      { ...alice, password: password.repeat(200) },
      { ...alice, password: [password] },
      { ...alice, password: { [password]: password } },
      { password },
      [password],
    ];
    for (const user of users) {
      await add("POST", "/users/", JSON.stringify(user));
      await add("POST", "/users/batch", JSON.stringify([user, user]));
      await add("POST", "/auth/login", JSON.stringify(user));
    }
    const login = `username=alice&password=${password}`;
    const form = { "content-type": "application/x-www-form-urlencoded" };
    await add("POST", "/users/", `{"password":"${password}"`);
    await add("POST", "/auth/login", `{"password":"${password}"`);
    await add("POST", "/auth/login", new Uint8Array([0xff, ...Buffer.from(password)]));
    await add("POST", `/auth/login?${login}x`);
    await add("POST", `/auth/login?password=${password}`);
    await add("POST", `/auth/login?username=${password}&password=${password}`);
    await add("POST", "/auth/login", `${login}x`, form);
    await add("POST", "/auth/login", `password=${password}`, form);
    await add("GET", `/auth/login?${login}`);
    for (const path of ["/users/me", "/admin/users"]) {
      for (const authorization of [
        `Bearer ${token}`,
        `Bearer ${token}x`,
        token,
        `Basic ${token}`,
        `Bearer ${password}`,
      ])
        await add("GET", path, undefined, { authorization });
    }
    return responses;
  }

  async function tokenOf(send: Sender): Promise<string> {
    await send({ method: "POST", target: "/users/", headers: {}, body: JSON.stringify(alice) });
    const target = `/auth/login?username=alice&password=${password}`;
    const { text } = await send({ method: "POST", target, headers: {} });
    return JSON.parse(text).access_token;
  }

  function expectNoSecret(texts: readonly string[], token: string) {
    const secrets = [MARK, MARK.toLowerCase(), "argon2", token, token.split(".")[2] ?? token];
    for (const secret of secrets) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  }

  it("are in no response except the login's, and in no log", async () => {
    const send = await start(environment);
    const token = await tokenOf(send);
    const responses = await sendEverything(send, token);

    expect(new Set(responses.map(({ status }) => status))).toEqual(
      new Set([200, 401, 403, 405, 409, 422, 429]),
    );
    const others = responses.filter(({ text }) => !text.includes('"access_token"'));
    expect(responses.length - others.length).toBe(1);
    expectNoSecret([...others.map(({ text }) => text), ...output], token);
    expect(output.length).toBeGreaterThan(responses.length);
  });

  it("are in no response and no log if every request fails", async () => {
    const token = await tokenOf(await start(environment));
    // A missing table is an unexpected error, whose cause is logged.
    const broken = await start({ ...environment, ACCOUNTS_TABLE: "missing" });
    const responses = await sendEverything(broken, token);

    expect(responses.map(({ status }) => status)).toContain(500);
    expect(output.join("\n")).toContain("ResourceNotFoundException");
    expectNoSecret([...responses.map(({ text }) => text), ...output], token);
  });

  it("are in no response and no log if nothing can be reached", async () => {
    const token = await tokenOf(await start(environment));
    const unreachable = "http://127.0.0.1:9";
    const isolated = await start({
      ...environment,
      AWS_ENDPOINT_URL_DYNAMODB: unreachable,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: unreachable,
    });
    const responses = await sendEverything(isolated, token);

    expect(responses.map(({ status }) => status)).toContain(503);
    expect(output.join("\n")).toContain("ECONNREFUSED");
    expectNoSecret([...responses.map(({ text }) => text), ...output], token);
  });
});
