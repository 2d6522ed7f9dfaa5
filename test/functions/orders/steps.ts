import type { CallInput, Fault, Plan } from "../../support/database/faults.ts";

/** The calls of an order, in their order. The last one only follows a failure. */
export type Step = "read" | "deduct" | "allocate" | "create" | "release";

const COUNTER = { pk: { S: "ids" }, sk: { N: "-1" } };

/** Recognizes the step of an order that makes a call; undefined for any other call. */
export function stepOf(operation: string, input: CallInput): Step | undefined {
  const { UpdateExpression: update = "", TransactItems: items = [], Key } = input;
  if (operation === "BatchGetItem") return "read";
  if (operation === "UpdateItem" && JSON.stringify(Key) === JSON.stringify(COUNTER))
    return update.includes(":minusOne") ? "release" : "allocate";
  if (items.some(({ ConditionCheck }) => ConditionCheck)) return undefined;
  if (items.some(({ Delete }) => Delete)) return "create";
  return items.some(({ Put }) => Put) ? "deduct" : undefined;
}

/** Lets all attempts at a step fail. */
export function failing(step: Step, fault: Fault): Plan {
  return atStep(step, () => fault);
}

/** Runs a plan for the attempts at a step alone, which it numbers from 1. */
export function atStep(step: Step, plan: (attempt: number) => ReturnType<Plan>): Plan {
  let attempts = 0;
  return (operation, _, input) => {
    if (stepOf(operation, input) !== step) return undefined;
    attempts += 1;
    return plan(attempts);
  };
}

/** A process that dies once it has made the step: it learns nothing any more. */
export function dyingAfter(step: Step): Plan {
  let isDead = false;
  return (operation, _, input) => {
    if (isDead) return "refused";
    isDead = stepOf(operation, input) === step;
    return isDead ? "lost" : undefined;
  };
}
