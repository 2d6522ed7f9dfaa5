// CodeDeploy invokes this before a new version of a function gets requests (infra/rollout.ts). It reads with the version,
// and creates, reads, changes and deletes records of its area. A crash, a time-out or an error ends the rollout, but not
// a refusal, and not a 503 or 4xx that the version before responds with as well: anybody can keep a table busy. Then
// the visitor, if the stage has one, calls the function.
const {
  CodeDeployClient,
  GetDeploymentCommand,
  PutLifecycleEventHookExecutionStatusCommand,
} = require("@aws-sdk/client-codedeploy");
const { DynamoDBClient } = require("@aws-sdk/client-dynamodb");
const { InvokeCommand, LambdaClient } = require("@aws-sdk/client-lambda");
const { DynamoDBDocumentClient, PutCommand } = require("@aws-sdk/lib-dynamodb");

const codeDeploy = new CodeDeployClient();
const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient());
const lambda = new LambdaClient();
const { VERSIONS, TABLES, LOGIN, VISITOR } = process.env;

/** A failure that has nothing to do with time fails the first round, one of two requests one of three. */
const ROUNDS = 3;

exports.handler = async ({ DeploymentId: deploymentId, LifecycleEventHookExecutionId }) => {
  let status = "Failed";
  let canary;
  try {
    const { deploymentInfo } = await send(codeDeploy, new GetDeploymentCommand({ deploymentId }));
    canary = deploymentInfo.deploymentGroupName.slice(PLAN.prefix.length);
    if (await passes(canary)) status = "Succeeded";
  } finally {
    const execution = { deploymentId, lifecycleEventHookExecutionId: LifecycleEventHookExecutionId, status };
    await send(codeDeploy, new PutLifecycleEventHookExecutionStatusCommand(execution));
  }
  const Payload = JSON.stringify({ canary });
  if (VISITOR && status === "Succeeded")
    await send(lambda, new InvokeCommand({ FunctionName: VISITOR, InvocationType: "Event", Payload }));
};

async function passes(area) {
  const versions = JSON.parse(VERSIONS);
  const live = (name) => versions[name].replace(/\d+$/, "live");
  const { read, records, cycles } = PLAN.areas[area];
  const { status } = await respond(versions[area], { target: read });
  if (status >= 500 && (status !== 503 || (await respond(live(area), { target: read })).status !== 503))
    return false;
  for (const [table, Item] of Object.entries(records))
    await send(dynamodb, new PutCommand({ TableName: JSON.parse(TABLES)[table], Item }));
  const token = LOGIN && versions[PLAN.login.area] && (await logIn(live(PLAN.login.area)));
  const to = (FunctionName) => (request) => respond(FunctionName, request, token);
  for (const cycle of Array(ROUNDS).fill(cycles).flat()) {
    const failure = await exports.writeRecord(cycle, to(versions[area]), to(live(area)));
    if (failure && !(await isExcused(failure, () => exports.writeRecord(cycle, to(live(area))))))
      return false;
  }
  return true;
}

/** Whether a failure is a refusal, or that of the version before in the same step. */
async function isExcused({ step, status }, tryBefore) {
  if ([401, 403, 429].includes(status)) return true;
  const before = await tryBefore();
  return (status < 500 || status === 503) && before?.step === step && before.status === status;
}

/** The visitor's account, where access rules require one. @returns undefined if it was never registered */
async function logIn(FunctionName) {
  const { text } = await respond(FunctionName, { target: PLAN.login.target, body: JSON.parse(LOGIN) });
  return JSON.parse(text).access_token;
}

/** A function's response, with the status 500 if it crashes. */
async function respond(FunctionName, { target, body }, token) {
  const event = eventOf(target, body, token);
  const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) });
  const { FunctionError, Payload } = await send(lambda, command);
  const {
    statusCode,
    headers = {},
    body: text = "{}",
    errorMessage,
  } = JSON.parse(Buffer.from(Payload).toString());
  process.stdout.write(`${JSON.stringify({ version: FunctionName, target, statusCode, errorMessage })}\n`);
  return { status: FunctionError === undefined ? statusCode : 500, location: headers.location, text };
}

/** Grants of this deployment take seconds until they are valid everywhere, at times a minute. */
async function send(client, command, attempts = 20) {
  try {
    return await client.send(command);
  } catch (error) {
    if (error.name !== "AccessDeniedException" || attempts === 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    return send(client, command, attempts - 1);
  }
}

/** An event as the gateway sends it, in payload format 2.0. */
function eventOf(target, body, token) {
  const [method, path, query = ""] = target.split(/[ ?]/);
  const timeEpoch = Date.now();
  const http = { method, path, protocol: "HTTP/1.1", userAgent: "rollout" };
  return {
    version: "2.0",
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: query,
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    requestContext: {
      http,
      requestId: "rollout",
      domainName: "rollout.invalid",
      stage: "$default",
      timeEpoch,
    },
    isBase64Encoded: false,
  };
}
