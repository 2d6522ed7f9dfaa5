import {
  DeleteFunctionConcurrencyCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
} from "@aws-sdk/client-lambda";
import { operatorClientConfig } from "../lib/aws.ts";
import { runOperatorCommand } from "./operator-command.ts";
import { deployedStack } from "./stage.ts";

await runOperatorCommand({
  name: "stop",
  description: `Stops a deployed stage: no function of it runs any more, so the gateway sends errors, and nothing reads or
writes the tables, neither the repair nor the visitor. Requests that run end. It holds until --start, across
deployments, of which those with a canary fail meanwhile.`,
  options: { start: { type: "boolean", description: "starts the stage again, as it was deployed" } },
  async run({ start }, { stage, isDryRun, print }) {
    const { name, ofType } = stage.stack("Stop the local run with Ctrl-C.");
    const client = new LambdaClient(operatorClientConfig);
    const { template } = (await deployedStack(name)) ?? {};
    const reserved = new Map(
      Object.entries(template?.Resources ?? {}).map(([id, { Properties }]) => [
        id.replace(/[0-9A-F]{8}$/, ""),
        Properties?.ReservedConcurrentExecutions as number | undefined,
      ]),
    );
    let changed = 0;
    for (const [label, FunctionName] of Object.entries(ofType("AWS::Lambda::Function"))) {
      const wanted = start ? reserved.get(label) : 0;
      const { ReservedConcurrentExecutions: now } = await client.send(
        new GetFunctionConcurrencyCommand({ FunctionName }),
      );
      if (now === wanted) continue;
      changed += 1;
      if (isDryRun) continue;
      if (wanted === undefined) await client.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
      else {
        const input = { FunctionName, ReservedConcurrentExecutions: wanted };
        await client.send(new PutFunctionConcurrencyCommand(input));
      }
    }
    const [would, did] = start ? ["start", "Started"] : ["stop", "Stopped"];
    print(`${isDryRun ? `Would ${would}` : did} ${changed} functions of ${name}.`);
  },
});
