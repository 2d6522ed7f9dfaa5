import {
  DeleteFunctionConcurrencyCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
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
--start, also after deployments; those with a canary fail meanwhile. If AWS refuses to stop a function, the others
are stopped all the same.`,
  options: { start: { type: "boolean", description: "starts the stage again, as it was deployed" } },
  async run({ start }, { stage, isDryRun, print }) {
    const { name, ofType } = stage.stack("Stop the local run with Ctrl-C.");
    const client = new LambdaClient(operatorClientConfig);
    const { template = { Resources: {} } } = (await deployedStack(name)) ?? {};
    const functions = Object.entries(ofType("AWS::Lambda::Function"));
    let changed = 0;
    const failed = `Not ${start ? "started" : "stopped"}, of ${functions.length} functions of ${name} (repeat the command)`;
    await forEachOf(
      functions,
      failed,
      async ([label, FunctionName]) => {
        const reserved = start ? deployedReservation(template, label) : 0;
        const { ReservedConcurrentExecutions: now } = await client.send(
          new GetFunctionConcurrencyCommand({ FunctionName }),
        );
        if (now === reserved) return;
        changed += 1;
        if (isDryRun) return;
        const input = { FunctionName, ReservedConcurrentExecutions: reserved };
        if (reserved === undefined) await client.send(new DeleteFunctionConcurrencyCommand(input));
        else await client.send(new PutFunctionConcurrencyCommand(input));
      },
      ([, name]) => name,
    );
    const [would, did] = start ? ["start", "Started"] : ["stop", "Stopped"];
    print(`${isDryRun ? `Would ${would}` : did} ${changed} functions of ${name}.`);
  },
});

/** @param label the function's logical id without CDK's hash */
function deployedReservation({ Resources }: StackTemplate, label: string): number | undefined {
  const [id = ""] = Object.keys(Resources).filter((each) => each.replace(/[0-9A-F]{8}$/, "") === label);
  return Resources[id]?.Properties?.ReservedConcurrentExecutions as number | undefined;
}
