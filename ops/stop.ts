import {
  DeleteFunctionConcurrencyCommand,
  DeleteProvisionedConcurrencyConfigCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  PutProvisionedConcurrencyConfigCommand,
  paginateListProvisionedConcurrencyConfigs,
} from "@aws-sdk/client-lambda";
import { operatorClientConfig } from "../lib/aws.ts";
import type { StackTemplate } from "./deployment/replacements.ts";
import { forEachOf } from "./for-each-of.ts";
import { runOperatorCommand } from "./operator-command.ts";
import { deployedStack } from "./stage.ts";

await runOperatorCommand({
  name: "stop",
  hasDryRun: true,
  description: `Stops a deployed stage: its functions no longer run, so the gateway responds with errors, and nothing reads
or writes the tables, not even the repair or the visitor. Running requests finish. The stage stays stopped until
--start, also after deployments; those with a canary or provisioned concurrency fail meanwhile. If AWS refuses to
stop a function, the others are stopped all the same.`,
  options: { start: { type: "boolean", description: "starts the stage again, as it was deployed" } },
  async run({ start }, { stage, isDryRun, print }) {
    const { name, ofType } = stage.stack("Stop the local run with Ctrl-C.");
    const client = new LambdaClient(operatorClientConfig);
    const { template = { Resources: {} } } = (await deployedStack(name)) ?? {};
    const functions = Object.entries(ofType("AWS::Lambda::Function"));
    const stopped = { reserved: 0, provisioned: [] };
    let changed = 0;
    const failed = `Not ${start ? "started" : "stopped"}, of ${functions.length} functions of ${name} (repeat the command)`;
    await forEachOf(
      functions,
      failed,
      async ([label, FunctionName]) => {
        const { reserved, provisioned } = start ? deployedConcurrency(template, label) : stopped;
        const { ReservedConcurrentExecutions: now } = await client.send(
          new GetFunctionConcurrencyCommand({ FunctionName }),
        );
        if (now !== reserved) changed += 1;
        if (isDryRun) return;
        if (now !== reserved) await reserve(client, FunctionName, reserved);
        for (const [Qualifier, ProvisionedConcurrentExecutions] of provisioned)
          await client.send(
            new PutProvisionedConcurrencyConfigCommand({
              ...{ FunctionName, Qualifier, ProvisionedConcurrentExecutions },
            }),
          );
      },
      ([, name]) => name,
    );
    const [would, did] = start ? ["start", "Started"] : ["stop", "Stopped"];
    print(`${isDryRun ? `Would ${would}` : did} ${changed} functions of ${name}.`);
  },
});

/** @param label the function's logical id without CDK's hash @returns the provisioned by alias */
function deployedConcurrency({ Resources }: StackTemplate, label: string) {
  const [id = ""] = Object.keys(Resources).filter((each) => each.replace(/[0-9A-F]{8}$/, "") === label);
  const provisioned = Object.values(Resources).flatMap(({ Properties = {} }) => {
    const { FunctionName, Name = "", ProvisionedConcurrencyConfig: config } = Properties as AliasProperties;
    return config && FunctionName?.Ref === id
      ? [[Name, config.ProvisionedConcurrentExecutions] as const]
      : [];
  });
  return {
    reserved: Resources[id]?.Properties?.ReservedConcurrentExecutions as number | undefined,
    provisioned,
  };
}

interface AliasProperties {
  readonly FunctionName?: { readonly Ref?: string };
  readonly Name?: string;
  readonly ProvisionedConcurrencyConfig?: { readonly ProvisionedConcurrentExecutions: number };
}

/** AWS refuses a reservation below what is provisioned, which then has to end before. */
async function reserve(
  client: LambdaClient,
  FunctionName: string,
  reserved: number | undefined,
): Promise<void> {
  if (reserved === undefined) {
    await client.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
    return;
  }
  const command = new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: reserved });
  try {
    await client.send(command);
  } catch (error) {
    const input = { FunctionName };
    const pages = await Array.fromAsync(paginateListProvisionedConcurrencyConfigs({ client }, input));
    const configs = pages.flatMap(({ ProvisionedConcurrencyConfigs = [] }) => ProvisionedConcurrencyConfigs);
    if (configs.length === 0) throw error;
    for (const { FunctionArn } of configs) {
      const Qualifier = FunctionArn?.split(":").at(-1);
      await client.send(new DeleteProvisionedConcurrencyConfigCommand({ FunctionName, Qualifier }));
    }
    await client.send(command);
  }
}
