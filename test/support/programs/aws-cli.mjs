// The AWS CLI, as far as the pipeline's scripts use it: `aws cloudformation delete-stack --stack-name a`, by the SDK.
import * as cloudFormation from "@aws-sdk/client-cloudformation";

const [, , , command = "", ...args] = process.argv;
const pascal = (text) => text.replace(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase());
const input = {};
let name = "";
for (const arg of args)
  if (arg.startsWith("--")) name = pascal(arg.slice(2));
  else if (name.endsWith("Filters")) input[name] = [...(input[name] ?? []), arg];
  else if (name !== "Output") input[name] = arg;
const client = new cloudFormation.CloudFormationClient();
try {
  if (command === "wait")
    await cloudFormation.waitUntilStackDeleteComplete({ client, maxWaitTime: 60 }, input);
  else {
    const { [`${pascal(command)}Command`]: Command } = cloudFormation;
    const { $metadata: _, ...answer } = await client.send(new Command(input));
    if (Object.keys(answer).length > 0) process.stdout.write(JSON.stringify(answer));
  }
} catch (error) {
  process.stderr.write(`An error occurred (${error.name}): ${error.message}\n`);
  process.exitCode = 254;
}
