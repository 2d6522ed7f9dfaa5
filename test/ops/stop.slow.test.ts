import { expect, it, onTestFinished } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { runProgram } from "../support/programs/program.ts";

const lambda = "AWS::Lambda::Function";
const nameOf = (label: string) => `${SERVICE_NAME}-prod-${label}Function-1A2B`;

interface Input {
  readonly FunctionName: string;
  readonly ReservedConcurrentExecutions?: number;
  readonly ProvisionedConcurrentExecutions?: number;
}

type Functions = Record<string, { reserved?: number; provisioned?: number }>;

/** A Lambda that refuses as AWS does: no reservation below what is provisioned, and none that a test forbids. */
function createLambda(deployed: Functions) {
  const functions = structuredClone(deployed);
  const refused = new Set<string>();
  const refuse = (message: string) => {
    throw Object.assign(new Error(message), { name: "InvalidParameterValueException" });
  };
  const operations: Record<string, (name: string, input: Input) => object | undefined> = {
    GetFunctionConcurrency: (name) => ({ ReservedConcurrentExecutions: functions[name]?.reserved }),
    PutFunctionConcurrency(name, { ReservedConcurrentExecutions: reserved = 0 }) {
      if (reserved < (functions[name]?.provisioned ?? 0)) refuse("Below what is provisioned.");
      functions[name] = { ...functions[name], reserved };
    },
    DeleteFunctionConcurrency: (name) => void delete functions[name]?.reserved,
    ListProvisionedConcurrencyConfigs(name) {
      const FunctionArn = `arn:aws:lambda:eu-west-1:111111111111:function:${name}:live`;
      return { ProvisionedConcurrencyConfigs: functions[name]?.provisioned ? [{ FunctionArn }] : [] };
    },
    PutProvisionedConcurrencyConfig(name, { ProvisionedConcurrentExecutions: provisioned = 0 }) {
      functions[name] = { ...functions[name], provisioned };
    },
    DeleteProvisionedConcurrencyConfig: (name) => void delete functions[name]?.provisioned,
  };
  const answer = (operation: string, input: Input) => {
    const [name = ""] = input.FunctionName.split(":");
    if (refused.has(name) && !/^(Get|List)/.test(operation)) refuse("The function is being updated.");
    return operations[operation]?.(name, input) ?? {};
  };
  return { functions, refused, answer };
}

const [todos, users, repair] = [nameOf("Todos"), nameOf("Users"), nameOf("Repair")];
const deployed = { [todos]: { provisioned: 2 }, [users]: { reserved: 50 }, [repair]: {} };

async function start() {
  const { functions, refused, answer } = createLambda(deployed);
  const alias = { FunctionName: { Ref: "TodosFunction12AB34CD" }, Name: "live" };
  const config = { ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 2 } };
  const template = {
    Resources: {
      TodosFunction12AB34CD: { Type: lambda, Properties: {} },
      TodosAlias12AB34CD: { Type: "AWS::Lambda::Alias", Properties: { ...alias, ...config } },
      UsersFunction12AB34CD: { Type: lambda, Properties: { ReservedConcurrentExecutions: 50 } },
      RepairFunction12AB34CD: { Type: lambda, Properties: {} },
    },
  };
  const resources = ["Todos", "Users", "Repair"].map(
    (label) => [lambda, `${label}Function12AB34CD`, nameOf(label)] as const,
  );
  const simulated = { template, policies: ["operator", "recovery"], answer };
  const aws = await startCloudFormation(`${SERVICE_NAME}-prod`, [resources], {}, simulated);
  onTestFinished(aws.close);
  const stop = (...args: string[]) =>
    runProgram("ops/stop.ts", ["--stage", "prod", ...args], { environment: aws.environment });
  return { functions, refused, stop };
}

it("npm run stop stops every function, also with provisioned concurrency, and starts them as deployed", async () => {
  const { functions, stop } = await start();
  const printed = (text: string) => ({ code: 0, output: `${text} of ${SERVICE_NAME}-prod.\n`, errors: "" });
  const allStopped = Object.fromEntries(Object.keys(deployed).map((name) => [name, { reserved: 0 }]));

  expect(await stop("--dry-run")).toEqual(printed("Would stop 3 functions"));
  expect(functions).toEqual(deployed);
  expect(await stop()).toEqual(printed("Stopped 3 functions"));
  expect(functions).toEqual(allStopped);
  expect(await stop()).toEqual(printed("Stopped 0 functions"));
  expect(await stop("--start")).toEqual(printed("Started 3 functions"));
  expect(functions).toEqual(deployed);
});

it("npm run stop goes on after a function that AWS refuses to stop, and names it", async () => {
  const { functions, refused, stop } = await start();
  refused.add(todos);
  const reason = `${todos}: InvalidParameterValueException: The function is being updated.`;
  const errors = `Not stopped, of 3 functions of ${SERVICE_NAME}-prod (repeat the command):\n- ${reason}\n`;
  expect(await stop()).toEqual({ code: 1, output: "", errors });
  expect(functions).toEqual({ ...deployed, [users]: { reserved: 0 }, [repair]: { reserved: 0 } });
});
