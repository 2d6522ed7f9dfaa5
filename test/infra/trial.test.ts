import { runInNewContext } from "node:vm";
import { Stack } from "aws-cdk-lib";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { placeholders, type Trial, type TrialCycle } from "../../functions/trial-requests.ts";
import { inlineCode as codeOf } from "../../infra/functions.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { response } from "../../lib/http/route.ts";
import { integerParameter } from "../../lib/validators/parameter.ts";
import { about, route } from "../support/api/test-route.ts";
import { random } from "../support/random.ts";

const version = "arn:aws:lambda:eu-west-1:123456789012:function:things:7";

const listThings = route("GET /things", {
  ...about,
  request: { query: z.object({ limit: integerParameter(z.int(), "For the tests") }) },
  responses: { 204: z.undefined() },
  handle: async ({ query: { limit } }) => {
    if (limit > 1) throw new Error("broken");
    return response(204);
  },
});
const handler = createHandler([listThings], () => () => ({}));
const invokeHandler = (event: APIGatewayProxyEventV2) => handler(event, { functionName: "test" } as Context);

type Invoke = (event: APIGatewayProxyEventV2, invoked: unknown) => unknown;
type Plan = Partial<Trial> & { readonly read: string };

/** Loads the trial as Lambda does, with clients of AWS that record their calls. @returns runs it over other functions */
function loadTrial({ cycles = [], records = {}, ...plan }: Plan, environment: object = {}) {
  let calls: [name: string, input: Record<string, unknown>][] = [];
  let invoked: Invoke;
  const command = (name: string) =>
    function create(this: object, input: Record<string, unknown>) {
      Object.assign(this, { name, input });
    };
  class Client {
    static from = (client: Client) => client;
    async send({ name, input }: { readonly name: string; readonly input: Record<string, unknown> }) {
      calls.push([name, input]);
      if (name === "GetDeployment") return { deploymentInfo: { deploymentGroupName: "stack-things" } };
      if (name !== "Invoke" || input.InvocationType === "Event") return {};
      const result = await invoked(JSON.parse(String(input.Payload)), input.FunctionName);
      const failure = result instanceof Error && { FunctionError: "Unhandled" };
      return { ...failure, Payload: JSON.stringify(result) };
    }
  }
  const modules: Readonly<Record<string, object>> = {
    "@aws-sdk/client-codedeploy": {
      CodeDeployClient: Client,
      GetDeploymentCommand: command("GetDeployment"),
      PutLifecycleEventHookExecutionStatusCommand: command("PutLifecycleEventHookExecutionStatus"),
    },
    "@aws-sdk/client-dynamodb": { DynamoDBClient: Client },
    "@aws-sdk/lib-dynamodb": { DynamoDBDocumentClient: Client, PutCommand: command("Put") },
    "@aws-sdk/client-lambda": { InvokeCommand: command("Invoke"), LambdaClient: Client },
  };
  const exports: { handler?(event: object): Promise<void> } = {};
  const login = { area: "login", target: "POST /login" };
  const areas = { things: { cycles, records, ...plan } };
  const code = codeOf("trial", { prefix: "stack-", placeholders, login, areas });
  const { inlineCode = "" } = code.bind(new Stack());
  const VERSIONS = JSON.stringify({ things: version, login: version.replace("things", "login") });
  const env = { VERSIONS, TABLES: '{"parts":"parts-table"}', VISITOR: "visitor", ...environment };
  runInNewContext(inlineCode, {
    exports,
    require: (name: string) => modules[name],
    process: { env, stdout: { write() {} } },
    setTimeout: (resolve: () => void) => setImmediate(resolve),
    Buffer,
  });
  return async (invoke: Invoke) => {
    [calls, invoked] = [[], invoke];
    const event = { DeploymentId: "d-1", LifecycleEventHookExecutionId: "e-1" };
    await exports.handler?.(event).catch(() => undefined);
    return calls;
  };
}

const runTrial = (plan: Plan, invoke: Invoke, environment?: object) => loadTrial(plan, environment)(invoke);

const reported = (status: string) => [
  "PutLifecycleEventHookExecutionStatus",
  { deploymentId: "d-1", lifecycleEventHookExecutionId: "e-1", status },
];

it("lets a version that answers have requests, and the visitor send some", async () => {
  const calls = await runTrial({ read: "GET /things?limit=1" }, invokeHandler);
  expect(calls).toMatchObject([
    ["GetDeployment", { deploymentId: "d-1" }],
    ["Invoke", { FunctionName: version }],
    reported("Succeeded"),
    ["Invoke", { FunctionName: "visitor", Payload: '{"canary":"things"}' }],
  ]);
});

const live = version.replace(/7$/, "live");

it("keeps a version that is as overloaded as the one before", async () => {
  const calls = await runTrial({ read: "GET /things?limit=1" }, () => ({ statusCode: 503 }));
  const invoked = calls.flatMap(([name, input]) => (name === "Invoke" ? [input.FunctionName] : []));
  expect(invoked).toEqual([version, live, "visitor"]);
  expect(calls).toContainEqual(reported("Succeeded"));
});

it.each<[string, string, Invoke]>([
  ["responds with a server error", "GET /things?limit=2", invokeHandler],
  ["is newly unavailable", "GET /things", (_, invoked) => ({ statusCode: invoked === live ? 200 : 503 })],
  ["crashes", "GET /things?limit=1", () => new Error("Runtime exited")],
  ["can't be invoked", "GET /things?limit=1", () => Promise.reject(new Error("AccessDenied"))],
])("ends the rollout of a version that %s", async (_, target, invoke) => {
  expect((await runTrial({ read: target }, invoke)).at(-1)).toEqual(reported("Failed"));
});

const cycle: TrialCycle = {
  requests: [
    { target: "POST /things", body: { name: `thing ${placeholders.unique}`, part: 7 } },
    { target: `GET /things/${placeholders.id}` },
    { target: `PUT /things/${placeholders.id}`, body: { name: "other" } },
    { target: `DELETE /things/${placeholders.id}` },
  ],
  leaves: false,
};
const plan = { read: "GET /things", cycles: [cycle], records: { parts: { pk: "0", sk: 7 } } };

type StatusOf = (method: string, isNew: boolean) => number | false;

/** Two versions of an area over one database. @param statusOf what a version responds with instead */
function createArea(statusOf: StatusOf = () => false) {
  const things = new Map<string, string>();
  let created = 0;
  const invoke: Invoke = ({ requestContext: { http }, body, headers }, invoked) => {
    if (String(invoked).includes("login")) return { statusCode: 200, body: '{"access_token":"t"}' };
    const [, , id = ""] = http.path.split("/");
    const statusCode = statusOf(http.method, String(invoked).endsWith(":7"));
    if (statusCode) return { statusCode, body: headers.authorization };
    if (http.method === "POST") {
      created += 1;
      things.set(String(created), String(body));
      return { statusCode: 201, headers: { location: `/things/${created}` } };
    }
    if (id === "") return { statusCode: 200 };
    if (!things.has(id)) return { statusCode: 404 };
    if (http.method === "DELETE") things.delete(id);
    return { statusCode: 200 };
  };
  return { things, invoke, created: () => created };
}

describe("the trial of an area that says how to write", () => {
  it("puts what the requests refer to, and creates, reads, changes and deletes records of its own", async () => {
    const area = createArea();
    const calls = await runTrial(plan, area.invoke);
    const events = calls.flatMap(([name, input]) =>
      name === "Invoke" && input.FunctionName === version ? [JSON.parse(String(input.Payload))] : [],
    );
    expect(events.slice(1, 5).map(({ routeKey, body = "" }) => `${routeKey} ${body}`)).toEqual([
      expect.stringMatching(/^POST \/things {"name":"thing [a-z\d]+","part":7}$/),
      "GET /things/1 ",
      'PUT /things/1 {"name":"other"}',
      "DELETE /things/1 ",
    ]);
    expect(calls[2]).toEqual(["Put", { TableName: "parts-table", Item: { pk: "0", sk: 7 } }]);
    expect(calls).toContainEqual(reported("Succeeded"));
    expect([area.created(), area.things.size]).toEqual([3, 0]);
  });

  it.each<[string, string, StatusOf]>([
    ["Succeeded", "refuses its account", (method) => method === "POST" && 401],
    ["Succeeded", "limits requests", (method, isNew) => isNew && method === "PUT" && 429],
    ["Succeeded", "is as overloaded as before", (method) => method === "PUT" && 503],
    ["Succeeded", "has nothing left, as before", (method) => method === "POST" && 400],
    ["Failed", "breaks what was broken", (method) => method === "PUT" && 500],
    ["Failed", "refuses what was accepted", (method, isNew) => isNew && method === "POST" && 400],
    ["Failed", "can't change", (method, isNew) => isNew && method === "PUT" && 503],
    ["Failed", "can't delete", (method, isNew) => isNew && method === "DELETE" && 500],
  ])("is %s for a version that %s, and leaves nothing", async (status, _, statusOf) => {
    const area = createArea(statusOf);
    expect(await runTrial(plan, area.invoke)).toContainEqual(reported(status));
    expect(area.things.size).toBe(0);
  });

  it("waits for grants that are seconds old, of any call", async () => {
    let refused = 0;
    const { invoke } = createArea();
    const calls = await runTrial(plan, (event, invoked) => {
      refused += 1;
      if (refused < 19) throw Object.assign(new Error("no"), { name: "AccessDeniedException" });
      return invoke(event, invoked);
    });
    expect(calls).toContainEqual(reported("Succeeded"));
  });

  it("uses the visitor's account where access rules require one", async () => {
    const tokens = new Set<unknown>();
    const { invoke } = createArea();
    const noted: Invoke = (event, invoked) => {
      if (event.requestContext.http.method === "PUT") tokens.add(event.headers.authorization);
      return invoke(event, invoked);
    };
    await runTrial(plan, noted, { LOGIN: '{"username":"visitor"}' });
    expect([...tokens]).toEqual(["Bearer t"]);
  });

  // It needs no traffic, so the numbers are those of any.
  const shares = ["POST", "PUT", "DELETE"].flatMap((method) => [1, 0.8].map((share) => ({ method, share })));
  it.each(shares)("ends 1,000 rollouts if this share of $method fails: $share", async ({ method, share }) => {
    const { next } = random(7);
    const run = loadTrial(plan);
    let ended = 0;
    for (let rollout = 0; rollout < 1_000; rollout += 1) {
      const area = createArea((each, isNew) => isNew && each === method && next() < share && 500);
      const [, input] = (await run(area.invoke)).findLast(([name]) => name.startsWith("PutLife")) ?? [];
      if (input?.status === "Failed") ended += 1;
    }
    expect(ended).toBeGreaterThanOrEqual(share === 1 ? 1_000 : 990);
  });
});
