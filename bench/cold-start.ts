import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildEvent, newRequestId } from "../local/api-gateway/event.ts";
import { CredentialStore } from "../local/aws/credentials.ts";
import { createDynamodb } from "../local/aws/dynamodb.ts";
import { startAwsEndpoint } from "../local/aws/endpoint.ts";
import { createSecretStore } from "../local/aws/secret-values.ts";
import { createSecretsManager } from "../local/aws/secrets-manager.ts";
import { functionEnvironment } from "../local/lambda/environment-variables.ts";
import { runLocally } from "../local/run.ts";
import { localAccount } from "../local/stack/arn.ts";
import type { FunctionModel } from "../local/stack/model.ts";
import type { ColdStartTimes } from "./cold-start/child.ts";

/** What a function's first request costs in a process of its own. */
export interface ColdStart {
  readonly name: string;
  /** The minified bundle, and the same as it is uploaded, in bytes. */
  readonly bytes: number;
  readonly zippedBytes: number;
  /** The request: method and target. */
  readonly request: string;
  readonly times: readonly ColdStartTimes[];
}

const apiKey = "the key of the measurement";

/** The first request of each function: one that needs the database where the function has one. */
const firstRequests: Readonly<Record<string, string>> = {
  accounts: "POST /auth/login?username=nobody&password=none",
  fallback: "GET /no-such-path",
  items: "GET /items/1",
  "api-key": "GET /api/v1/users",
  orders: "GET /orders/1",
  posts: "GET /posts/1",
  products: "GET /products/1",
  system: "GET /health/ready",
  todos: "GET /todos/1",
  users: "GET /users/1",
};

/**
 * Measures the cold start of every function: its bundle is loaded in a fresh process with the environment that
 * the stack gives it, on an empty database, and answers a request.
 *
 * @param times how many processes per function, one after the other
 * @returns the functions in the stack's order
 * @throws {Error} when a function cannot be loaded
 */
export async function measureColdStarts(times: number): Promise<ColdStart[]> {
  const silent = () => undefined;
  const run = await runLocally({ dataDirectory: "memory", secrets: { ApiKeys: apiKey }, log: silent });
  const credentials = new CredentialStore();
  const declared = run.model().secrets;
  const values = Object.entries(run.secrets()).filter(([label]) =>
    declared.some((each) => each.label === label),
  );
  const store = createSecretStore(Object.fromEntries(values), undefined);
  store.declare(declared);
  const secrets = createSecretsManager(() => run.model().secrets, store);
  const aws = await startAwsEndpoint(
    [createDynamodb(run.dynamodbEndpoint, silent), secrets],
    credentials,
    silent,
  );
  try {
    const found: ColdStart[] = [];
    for (const model of run.model().functions) {
      const { accessKeyId } = credentials.issue(model);
      const environment = functionEnvironment(model, accessKeyId, aws.url);
      found.push(await measureFunction(model, environment, times));
    }
    return found;
  } finally {
    await aws.close();
    await run.close();
  }
}

async function measureFunction(
  model: FunctionModel,
  environment: Record<string, string>,
  count: number,
): Promise<ColdStart> {
  const name = model.environment.POWERTOOLS_SERVICE_NAME ?? model.label;
  const file = join(model.codeDirectory, "index.mjs");
  const request = firstRequests[name];
  if (request === undefined) throw new Error(`There is no request for the function ${name} yet`);
  const times: ColdStartTimes[] = [];
  for (let at = 0; at < count; at += 1) times.push(await inFreshProcess(file, request, at, environment));
  const content = readFileSync(file);
  return { name, bytes: content.length, zippedBytes: gzipSync(content).length, request, times };
}

async function inFreshProcess(
  file: string,
  request: string,
  at: number,
  env: Record<string, string>,
): Promise<ColdStartTimes> {
  const child = fork(new URL("./cold-start/child.ts", import.meta.url), [file, eventOf(request, at)], {
    env,
    execArgv: [],
    // What the function logs is not wanted.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "close");
  const times = await Promise.race([once(child, "message"), ended.then(() => undefined)]);
  await ended;
  if (times === undefined) throw new Error(`The process for ${request} ended without an answer`);
  const [found] = times as [ColdStartTimes];
  if (found.statusCode >= 500 || found.statusCode === 429)
    throw new Error(`${request} answered ${found.statusCode}`);
  return found;
}

/** Each process has an address of its own: after five failed logins from one, the next would not be looked at. */
function eventOf(request: string, at: number): string {
  const [method = "", target = ""] = request.split(" ");
  const [path = "", query = ""] = target.split("?");
  const gatewayRequest = {
    method,
    path,
    query,
    rawHeaders: ["host", "localhost", "x-api-key", apiKey],
    body: Buffer.alloc(0),
    protocol: "HTTP/1.1",
    sourceIp: `127.0.0.${at + 1}`,
    port: 443,
    receivedAt: new Date(),
    requestId: newRequestId(),
  };
  const origin = { accountId: localAccount, apiId: "bench", stage: "$default", routeKey: "$default" };
  return JSON.stringify(buildEvent(gatewayRequest, origin));
}
