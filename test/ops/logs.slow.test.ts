import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { pseudonymOf } from "../../lib/log/who.ts";
import { runLocally } from "../../local/run.ts";
import { ApiClient, overHttp } from "../support/api/client.ts";
import { secretValues } from "../support/data/credentials.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { filterPattern } from "../support/infra/filter-pattern.ts";
import { codeBlocksOf } from "../support/markdown.ts";
import { type CommandName, runHere, runWithOperator } from "../support/programs/operator.ts";
import { patientEnvironment, patientLimits } from "../support/programs/run.ts";
import { startProgram } from "../support/programs/started.ts";

type Line = Readonly<Record<string, unknown>>;

const environment = { AWS_LAMBDA_LOG_LEVEL: "INFO", ...patientEnvironment };
const linesOf = (output: string): Line[] => (output.match(/.+/g) ?? []).map((text) => JSON.parse(text));

const service = await runWithOperator({ withCatalog: false, environment, secrets: secretValues });
afterAll(() => service.end());
const api = () => new ApiClient(overHttp(service.run.url));

async function logIn(username: string, password = "Analytical1"): Promise<string> {
  return (await api().post("/auth/login", { username, password })).body.access_token ?? "";
}

async function logs(...args: string[]): Promise<Line[]> {
  const { code, output, errors } = await service.operateHere("logs", args);
  expect([code, errors]).toEqual([0, ""]);
  return linesOf(output);
}

it("plays the runbook FailedLogins: who was tried, which guess succeeded, what its token did", async () => {
  const script = codeBlocksOf("docs/operations.md", "sh").find((each) => each.includes("--status 401")) ?? "";
  const text = script.trim().replaceAll("--stage prod", "").replaceAll("198.51.100.7", "127.0.0.1");
  const wordsOf = (line: string) =>
    (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
  const commands = text.split("\n").map(wordsOf);

  await api().post("/users/", { username: "ada", email: "ada@example.com", password: "Analytical1" });
  for (const name of ["bob", "carol", "ada"]) expect(await logIn(name, "Guessed1")).toBe("");
  const headers = { authorization: `Bearer ${await logIn("ada")}` };
  await api().get("/users/me", { headers });

  const outputs: string[] = [];
  for (const [, , name = "", , ...args] of commands)
    outputs.push((await service.operateHere(name as CommandName, args)).output);
  const [tried, succeeded, since, lock] = outputs;
  const who = (output = "") =>
    linesOf(output).map(({ route, status, account, sourceIp }) => [route, status, account, sourceIp]);
  const login = "POST /auth/login";
  expect(who(tried)).toEqual(["bob", "carol", "ada"].map((name) => [login, 401, name, "127.0.0.1"]));
  expect(who(succeeded)).toEqual([[login, 200, "ada", "127.0.0.1"]]);
  expect(who(since)).toEqual([
    ["POST /users/", 201, "ada", "127.0.0.1"],
    [login, 401, "ada", "127.0.0.1"],
    [login, 200, "ada", "127.0.0.1"],
    ["GET /users/me", 200, "ada", undefined],
  ]);
  expect(lock).toBe("Locked the account ada.\n");
  expect((await api().get("/users/me", { headers })).status).toBe(401);
  expect((await logs("--account", "ada")).at(-1)).toMatchObject({ status: 401, route: "GET /users/me" });
});

it("names the static key of a request, and filters by request and time", async () => {
  const { output: key } = await service.operateHere("key", ["add", "--name", "shop"]);
  const again = await service.operateHere("key", ["add", "--name", "shop"]);
  expect(again).toMatchObject({ code: 1, errors: "There is a key shop already. Nothing was changed.\n" });
  expect((await service.operateHere("key", ["list"])).output).toMatch(/^[\da-f]{8} shop \(/m);
  const response = await api().get("/api/protected", { headers: { "x-api-key": key.trim() } });
  expect(response.status).toBe(200);
  const [line, ...others] = await logs("--account", "key:shop");
  expect([line, others]).toEqual([expect.objectContaining({ route: "GET /api/protected" }), []]);
  expect(await logs("--request", response.headers.get("x-request-id") ?? "")).toEqual([line]);
  expect(await logs("--account", "key:shop", "--until", String(line?.timestamp))).toEqual([line]);
  expect(await logs("--account", "key:shop", "--until", "2026-01-01T00:00:00Z")).toEqual([]);
  expect(await service.operateHere("key", ["revoke", "shop"])).toMatchObject({ code: 0 });
});

it("follows new lines, each once", async () => {
  const args = ["--stage", "local", "--route", "POST /auth/login", "--account", "dora", "--follow"];
  const following = startProgram("ops/logs.ts", { DATA_DIR: service.directory }, args);
  for (const count of [1, 2, 3]) {
    await logIn("dora", "Guessed1");
    await following.printed(RegExp(`^(.*"account":"dora".*\\n){${count}}$`));
  }
  await following.end("SIGINT");
});

it("finds the name and its digest after anonymousLogs is set", async () => {
  await logIn("eve", "Guessed1");
  await service.run.close();
  const options = { secrets: secretValues, environment, limits: patientLimits, log: () => undefined };
  const stageSettings = { anonymousLogs: "true" };
  service.run = await runLocally({ ...options, dataDirectory: service.directory, stageSettings });
  await logIn("eve", "Guessed1");

  const { LogKey = "" } = service.run.secrets();
  const [name, address] = ["eve", "127.0.0.1"].map((text) => pseudonymOf(text, LogKey));
  expect(await logs("--account", "eve")).toEqual([
    expect.objectContaining({ account: "eve", sourceIp: "127.0.0.1" }),
    expect.objectContaining({ account: name, sourceIp: address }),
  ]);
  const log = readFileSync(join(service.directory, "log.jsonl"), "utf8");
  expect(log.match(/"account":"eve"/g)).toHaveLength(1);
});

it("reads all log groups of a stage with the operator's permissions", async () => {
  const stack = `${SERVICE_NAME}-prod`;
  const LogKey = `arn:aws:secretsmanager:eu-west-1:111111111111:secret:LogKey-1A2B3C`;
  const resources = [
    ["AWS::Logs::LogGroup", "LoginLogs0A1B2C3D", `${stack}-LoginLogs`],
    ["AWS::Logs::LogGroup", "AccessLogs0A1B2C3D", `${stack}-AccessLogs`],
    ["AWS::SecretsManager::Secret", "LogKey0A1B2C3D", LogKey],
  ] as const;
  const digest = pseudonymOf("ada", "former");
  const now = Date.now();
  const stored: Record<string, [ago: number, line: object][]> = {
    [`${stack}-LoginLogs`]: [
      [3_000, { requestId: "1", route: "POST /auth/login", status: 401, account: "ada" }],
      [1_000, { requestId: "2", route: "POST /auth/login", status: 200, account: digest, _aws: {} }],
      [900, { requestId: "3", route: "POST /users/batch", status: 201, account: "bob,ada" }],
      [800, { requestId: "4", route: "POST /auth/login", status: 401, account: "adam" }],
      [7_200_000, { requestId: "5", route: "POST /auth/login", status: 401, account: "ada" }],
    ],
    [`${stack}-AccessLogs`]: [[2_000, { requestId: "1", sourceIp: "198.51.100.7", status: "401" }]],
  };
  const answer = (operation: string, input: Readonly<Record<string, string>>) => {
    if (operation === "GetSecretValue") return { SecretString: "new,former" };
    const { logGroupName = "", startTime, filterPattern: pattern = "", nextToken = "0" } = input;
    const absent = { account: null, sourceIp: null, requestId: null, route: null, status: null };
    const matches = filterPattern(pattern);
    const found = (stored[logGroupName] ?? [])
      .filter(
        ([ago, line]) => now - ago >= Number(startTime) && matches(JSON.stringify({ ...absent, ...line })),
      )
      .map(([ago, line]) => ({ timestamp: now - ago, message: JSON.stringify(line) }));
    // A page each.
    const next = Number(nextToken) + 1;
    return { events: found.slice(next - 1, next), ...(next < found.length && { nextToken: String(next) }) };
  };
  const aws = await startCloudFormation(stack, [resources], {}, { policies: ["operator"], answer });
  onTestFinished(aws.close);
  const ids = async (...args: string[]) => {
    const options = { environment: aws.environment };
    const { code, output, errors } = await runHere("logs", ["--stage", "prod", ...args], options);
    expect([code, errors]).toEqual([0, ""]);
    return linesOf(output).map(({ requestId, sourceIp, _aws }) => [requestId, sourceIp, _aws].join(""));
  };
  expect(await ids("--account", "ada")).toEqual(["1", "2", "3"]);
  expect(await ids("--account", "ada", "--status", "401", "--since", "3h")).toEqual(["5", "1"]);
  expect(await ids("--request", "1")).toEqual(["1", "1198.51.100.7"]);
  expect(await ids("--status", "401", "--route", "POST /auth/login")).toEqual(["1", "4"]);
  expect(await ids("--address", "198.51.100.7")).toEqual(["1198.51.100.7"]);
});
