import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { createHandler } from "../../lib/http/handler.ts";
import { response, routeBuilder } from "../../lib/http/route.ts";
import { integerParameter } from "../../lib/validators/parameter.ts";

const code = readFileSync("infra/trial.cjs", "utf8");
const version = "arn:aws:lambda:eu-west-1:123456789012:function:things:7";

const route = routeBuilder<unknown>({ tag: "test", errorFormat: "detail" });
const handler = createHandler(
  [
    route("GET /things", {
      operationId: "test",
      summary: "List",
      description: "For the tests.",
      request: { query: z.object({ limit: integerParameter(z.int(), "For the tests") }) },
      responses: { 204: z.undefined() },
      handle: async ({ query: { limit } }) => {
        if (limit > 1) throw new Error("broken");
        return response(204);
      },
    }),
  ],
  () => () => ({}),
);
const invokeHandler = (event: APIGatewayProxyEventV2) => handler(event, { functionName: "test" } as Context);

/** Runs the trial as Lambda does, with clients of AWS that record their calls. */
async function runTrial(
  target: string,
  invoke: (event: APIGatewayProxyEventV2, invoked: unknown) => unknown,
) {
  const calls: [name: string, input: Record<string, unknown>][] = [];
  const command = (name: string) =>
    function create(this: object, input: Record<string, unknown>) {
      Object.assign(this, { name, input });
    };
  class Client {
    async send({ name, input }: { readonly name: string; readonly input: Record<string, unknown> }) {
      calls.push([name, input]);
      if (name === "GetDeployment") return { deploymentInfo: { deploymentGroupName: "stack-things" } };
      if (name !== "Invoke" || input.InvocationType === "Event") return {};
      const result = await invoke(JSON.parse(String(input.Payload)), input.FunctionName);
      return {
        ...(result instanceof Error && { FunctionError: "Unhandled" }),
        Payload: JSON.stringify(result),
      };
    }
  }
  const modules: Readonly<Record<string, object>> = {
    "@aws-sdk/client-codedeploy": {
      CodeDeployClient: Client,
      GetDeploymentCommand: command("GetDeployment"),
      PutLifecycleEventHookExecutionStatusCommand: command("PutLifecycleEventHookExecutionStatus"),
    },
    "@aws-sdk/client-lambda": { InvokeCommand: command("Invoke"), LambdaClient: Client },
  };
  const exports: { handler?(event: object): Promise<void> } = {};
  runInNewContext(code, {
    exports,
    require: (name: string) => modules[name],
    process: {
      env: { TRIALS: JSON.stringify([["stack-things", version, target]]), VISITOR: "visitor" },
      stdout: { write() {} },
    },
    Buffer,
  });
  await exports
    .handler?.({ DeploymentId: "d-1", LifecycleEventHookExecutionId: "e-1" })
    .catch(() => undefined);
  return calls;
}

const reported = (status: string) => [
  "PutLifecycleEventHookExecutionStatus",
  { deploymentId: "d-1", lifecycleEventHookExecutionId: "e-1", status },
];

it("lets a version that answers have requests, and the visitor send some", async () => {
  const calls = await runTrial("GET /things?limit=1", invokeHandler);
  expect(calls).toMatchObject([
    ["GetDeployment", { deploymentId: "d-1" }],
    ["Invoke", { FunctionName: version }],
    reported("Succeeded"),
    ["Invoke", { FunctionName: "visitor", Payload: '{"canary":"GET /things?limit=1"}' }],
  ]);
});

const live = version.replace(/7$/, "live");

it("keeps a version that is as overloaded as the one before", async () => {
  const calls = await runTrial("GET /things?limit=1", () => ({ statusCode: 503 }));
  expect(calls).toMatchObject([
    ["GetDeployment", {}],
    ["Invoke", { FunctionName: version }],
    ["Invoke", { FunctionName: live }],
    reported("Succeeded"),
    ["Invoke", { FunctionName: "visitor" }],
  ]);
});

it.each<[string, string, (event: APIGatewayProxyEventV2, invoked: unknown) => unknown]>([
  ["responds with a server error", "GET /things?limit=2", invokeHandler],
  [
    "is unavailable, unlike the one before",
    "GET /things?limit=1",
    (_, invoked) => ({ statusCode: invoked === live ? 200 : 503 }),
  ],
  ["crashes", "GET /things?limit=1", () => new Error("Runtime exited")],
  [
    "can't be invoked",
    "GET /things?limit=1",
    () => {
      throw new Error("AccessDenied");
    },
  ],
])("ends the rollout of a version that %s", async (_, target, invoke) => {
  expect((await runTrial(target, invoke)).at(-1)).toEqual(reported("Failed"));
});
