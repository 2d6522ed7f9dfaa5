import { readFileSync } from "node:fs";
import { Duration, Fn, type Stack } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import { Code, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { allRoutes, definitions } from "../functions/definitions.ts";
import { deletionOf, prepare, referencesOf, shownContext } from "../functions/example-requests.ts";
import { SERVICE_NAME } from "../lib/construct-ids.ts";
import { VISITOR } from "../lib/log/log.ts";
import { createLambda } from "./functions.ts";
import { trialRequest } from "./rollout.ts";
import type { Stage } from "./stages.ts";

/** Calls each function once in so many minutes. */
const ROUND_MINUTES = 5;
/** A canary gets requests for five minutes, and a little time to begin and to end. */
const CANARY_SECONDS = 330;

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
  // Whoever knows the account can do what everybody can who registers one, so its password is no secret.
  const id = Fn.select(2, Fn.split("/", stack.stackId));
  const username = `visitor_${Fn.select(0, Fn.split("-", id))}`;
  const { key: registration } = allRoutes.find(({ key }) => key === "POST /users/") ?? {};
  const { tokenRoute } = Object.values(definitions).find((area) => area.tokenRoute) ?? {};
  const plan = {
    url,
    userAgent: VISITOR,
    ...(tokenRoute &&
      registration && {
        login: tokenRoute,
        registration,
        account: { username, email: `${username}@example.com`, password: `Visit-1${id}` },
      }),
    record: recordToVisit(),
    others: functionNames.map((name, i) => ({ minute: i % ROUND_MINUTES, target: trialRequest(name) })),
    roundMinutes: ROUND_MINUTES,
    canarySeconds: CANARY_SECONDS,
  };
  const visitor = createLambda(stack, stage, "visitor", {
    description: "calls the API every minute",
    code: Code.fromInline(readFileSync(new URL("./visitor.cjs", import.meta.url), "utf8")),
    memorySize: 128,
    timeout: Duration.seconds(CANARY_SECONDS + 30),
    // The next visit is a minute later.
    retryAttempts: 0,
    environment: { PLAN: stack.toJsonString(plan) },
  });
  new Rule(stack, "Visits", {
    description: `${SERVICE_NAME} ${stage.name}: calls the API every minute`,
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new LambdaTarget(visitor, { retryAttempts: 0 })],
  });
  return visitor;
}

/** The record that is the cheapest one to write, of those that anybody can create, read and delete. */
function recordToVisit() {
  const isOpen = (key?: string) => allRoutes.some((route) => route.key === key && !route.authorizer);
  const [cheapest] = Object.values(definitions)
    .flatMap(({ limits = {} }) => Object.entries(limits))
    .flatMap(([key, limit]) =>
      limit && "write" in limit && limit.write ? [{ key, units: limit.write }] : [],
    )
    .filter(({ key }) => {
      const deletion = deletionOf(key);
      const reading = deletion?.replace("DELETE ", "GET ");
      return isOpen(key) && isOpen(deletion) && isOpen(reading) && referencesOf(key).length === 0;
    })
    .sort((a, b) => a.units - b.units);
  if (cheapest === undefined) return undefined;
  const { target, body } = prepare(cheapest.key, shownContext);
  return { target: `POST ${target}`, body };
}
