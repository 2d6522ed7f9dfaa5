import { expect, it, onTestFinished } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { runProgram } from "../support/programs/program.ts";

const lambda = "AWS::Lambda::Function";

it("npm run stop stops every function, and starts them with what was deployed", async () => {
  const concurrency: Record<string, number | undefined> = { todos: undefined, users: 50 };
  const answer = (call: string, input: { readonly ReservedConcurrentExecutions?: number }) => {
    const [, method, name = ""] = /^(\w+) .*\/functions\/(\w+)\/concurrency/.exec(call) ?? [];
    if (method !== "GET") concurrency[name] = input.ReservedConcurrentExecutions;
    return { ReservedConcurrentExecutions: concurrency[name] };
  };
  const template = {
    Resources: {
      TodosFunction12AB34CD: { Type: lambda, Properties: {} },
      UsersFunction12AB34CD: { Type: lambda, Properties: { ReservedConcurrentExecutions: 50 } },
    },
  };
  const pages = [
    [
      [lambda, "TodosFunction12AB34CD", "todos"],
      [lambda, "UsersFunction12AB34CD", "users"],
    ],
  ] as const;
  const aws = await startCloudFormation(`${SERVICE_NAME}-prod`, pages, {}, { template, answer });
  onTestFinished(aws.close);
  const stop = (...args: string[]) =>
    runProgram("ops/stop.ts", ["--stage", "prod", ...args], { environment: aws.environment });
  const printed = (text: string) => ({ code: 0, output: `${text} of ${SERVICE_NAME}-prod.\n`, errors: "" });

  expect(await stop("--dry-run")).toEqual(printed("Would stop 2 functions"));
  expect(concurrency).toEqual({ todos: undefined, users: 50 });
  expect(await stop()).toEqual(printed("Stopped 2 functions"));
  expect(concurrency).toEqual({ todos: 0, users: 0 });
  expect(await stop()).toEqual(printed("Stopped 0 functions"));
  expect(await stop("--start")).toEqual(printed("Started 2 functions"));
  expect(concurrency).toEqual({ todos: undefined, users: 50 });
});
