// Plays `npx cdk deploy` with CloudFormation behind it: records its arguments, and refuses in AWS's words what AWS does.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const args = process.argv.slice(2);
appendFileSync("calls", `${args.join(" ")}\n`);
const [, command, stackName] = args;
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).Resources : {});
const deployed = read("deployed.json");
const next = command === "deploy" ? read(`cdk.out/${stackName}.template.json`) : {};

const namesOf = ({ Properties: { GlobalSecondaryIndexes: indexes = [] } = {} } = {}) =>
  new Set(indexes.map(({ IndexName }) => IndexName));
const refusals = Object.entries(next).flatMap(([id, resource]) => {
  const { Environment: { Variables } = {}, Metrics = [] } = resource.Properties ?? {};
  const changed = deployed[id] ? namesOf(deployed[id]).symmetricDifference(namesOf(resource)).size : 0;
  return [
    // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
    changed > 1 && "Cannot perform more than one GSI creation or deletion in a single update",
    // https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
    Variables &&
      Buffer.byteLength(JSON.stringify(Variables)) > 4_096 &&
      "environment variables exceeded the 4KB limit",
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
    Metrics.filter(({ MetricStat }) => MetricStat).length > 10 && "Metrics list must have at most 10 metrics",
  ].filter(Boolean);
});
for (const refusal of refusals) process.stderr.write(`UPDATE_FAILED: ${refusal}\n`);
process.exitCode = refusals.length > 0 ? 1 : 0;
