// CodeDeploy invokes this before a new version of a function gets requests (infra/rollout.ts). It sends the
// version one request. A crash, a time-out or a server error ends the rollout, but not a 503 that the version before
// responds with as well: anybody can keep a table busy. Then the visitor, if the stage has one, calls the function.
const {
  CodeDeployClient,
  GetDeploymentCommand,
  PutLifecycleEventHookExecutionStatusCommand,
} = require("@aws-sdk/client-codedeploy");
const { InvokeCommand, LambdaClient } = require("@aws-sdk/client-lambda");

const codeDeploy = new CodeDeployClient();
const lambda = new LambdaClient();

exports.handler = async ({ DeploymentId: deploymentId, LifecycleEventHookExecutionId }) => {
  let status = "Failed";
  let canary;
  try {
    const { deploymentInfo } = await codeDeploy.send(new GetDeploymentCommand({ deploymentId }));
    const trials = JSON.parse(process.env.TRIALS);
    const [, version, target] = trials.find(([group]) => group === deploymentInfo.deploymentGroupName);
    const statusCode = await statusOf(version, target);
    if (statusCode < 500) status = "Succeeded";
    const live = version.replace(/\d+$/, "live");
    if (statusCode === 503 && (await statusOf(live, target)) === 503) status = "Succeeded";
    canary = target;
  } finally {
    const execution = { deploymentId, lifecycleEventHookExecutionId: LifecycleEventHookExecutionId, status };
    await codeDeploy.send(new PutLifecycleEventHookExecutionStatusCommand(execution));
  }
  const { VISITOR } = process.env;
  const Payload = JSON.stringify({ canary });
  if (VISITOR && status === "Succeeded")
    await lambda.send(new InvokeCommand({ FunctionName: VISITOR, InvocationType: "Event", Payload }));
};

/** The status of a function's response; 500 if it crashes. */
async function statusOf(FunctionName, target) {
  const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(eventOf(target)) });
  const { FunctionError, Payload } = await lambda.send(command);
  const { statusCode, errorMessage } = JSON.parse(Buffer.from(Payload).toString());
  process.stdout.write(`${JSON.stringify({ version: FunctionName, target, statusCode, errorMessage })}\n`);
  return FunctionError === undefined ? statusCode : 500;
}

/** An event as the gateway sends it, in payload format 2.0. */
function eventOf(target) {
  const [method, path, query = ""] = target.split(/[ ?]/);
  const http = { method, path, protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "rollout" };
  return {
    version: "2.0",
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: query,
    headers: {},
    requestContext: {
      http,
      requestId: "rollout",
      domainName: "rollout.invalid",
      stage: "$default",
      timeEpoch: Date.now(),
    },
    isBase64Encoded: false,
  };
}
