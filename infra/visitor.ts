import { Annotations, Duration, Fn, type Stack } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { cheapestCycle, planOf } from "../functions/trial-requests.ts";
import { SERVICE_NAME } from "../lib/construct-ids.ts";
import { VISITOR } from "../lib/log/log.ts";
import { createLambda, inlineCode } from "./functions.ts";
import type { Stage } from "./settings/stages.ts";

/** Calls each function once in so many minutes. */
const ROUND_MINUTES = 5;
/** A canary gets requests for five minutes, and a little time to begin and to end. */
const CANARY_SECONDS = 330;
/** Between two records that nothing deletes: 33 are left by a rollout. */
const SECONDS_BETWEEN_LEFT = 10;

/**
 * The function that calls the API as a client does, once a minute: it logs in, creates, reads and deletes a
 * record, and calls the other functions in turn (docs/adr/0032).
 */
export function createVisitor(
  stack: Stack,
  stage: Stage,
  url: string,
  functionNames: readonly string[],
): LambdaFunction {
  const record = cheapestCycle(stage.access);
  if (record === undefined)
    Annotations.of(stack).addWarningV2(
      "visitor",
      "The visitor writes no record: no access rule lets accounts create, read and delete one of an area.",
    );
  const plan = {
    ...planOf(stack.stackName, functionNames, stage.access),
    ...(stage.issuer?.login && { login: undefined }),
    userAgent: VISITOR,
    record,
    roundMinutes: ROUND_MINUTES,
    canarySeconds: CANARY_SECONDS,
    secondsBetweenLeft: SECONDS_BETWEEN_LEFT,
  };
  const visitor = createLambda(stack, stage, "visitor", {
    description: "calls the API every minute",
    code: inlineCode("visitor", plan),
    memorySize: 128,
    timeout: Duration.seconds(CANARY_SECONDS + 30),
    // The next visit is a minute later.
    retryAttempts: 0,
    environment: { URL: url, ACCOUNT: stack.toJsonString(visitorAccount(stack)) },
  });
  new Rule(stack, "Visits", {
    description: `${SERVICE_NAME} ${stage.name}: calls the API every minute`,
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new LambdaTarget(visitor, { retryAttempts: 0 })],
  });
  return visitor;
}

/** The account may do no more than any other that somebody registers, so its password is no secret. */
export function visitorAccount(stack: Stack) {
  const id = Fn.select(2, Fn.split("/", stack.stackId));
  const username = `visitor_${Fn.select(0, Fn.split("-", id))}`;
  return { username, email: `${username}@example.com`, password: `Visit-1${id}` };
}
