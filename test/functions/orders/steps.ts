import type { CallInput, Fault, Plan } from "../../support/database/faults.ts";

/** The calls of an order, in their order. The last three only follow a failure. */
export type Step =
  | "find"
  | "read"
  | "deduct"
  | "allocate"
  | "create"
  | "findOutcome"
  | "release"
  | "tombstone";

const COUNTER = { pk: { S: "ids" }, sk: { N: "-1" } };

/** Recognizes the step of an order that makes a call; undefined for any other call. */
export function stepOf(operation: string, input: CallInput): Step | undefined {
  const { UpdateExpression: update = "", TransactItems: items = [], Key } = input;
  if (operation === "GetItem") return "find";
  if (operation === "BatchGetItem") return "read";
  if (operation === "UpdateItem" && JSON.stringify(Key) === JSON.stringify(COUNTER))
    return update.includes(":minusOne") ? "release" : "allocate";
  if (operation !== "TransactWriteItems") return undefined;
  if (items.some(({ ConditionCheck }) => ConditionCheck)) return "findOutcome";
  if (items.some(({ Delete }) => Delete)) return "create";
  return items.some(({ Put }) => Put) ? "deduct" : "tombstone";
}

/** Lets all attempts at a step fail. */
export function failing(step: Step, fault: Fault): Plan {
  return atStep(step, () => fault);
}

/** Runs a plan for the attempts at a step alone, which it numbers from 1. */
export function atStep(
  step: Step,
  plan: (attempt: number) => Fault | undefined | Promise<Fault | undefined>,
): Plan {
  let attempts = 0;
  return (operation, _, input) => {
    if (stepOf(operation, input) !== step) return undefined;
    attempts += 1;
    return plan(attempts);
  };
}

/** A process that dies before it makes the step, or once it has made it: it learns nothing any more. */
export function dying(when: "before" | "after", step: Step): Plan {
  let isDead = false;
  return (operation, _, input) => {
    const isStep = stepOf(operation, input) === step;
    if (!isStep || isDead) return isDead ? "refused" : undefined;
    isDead = true;
    return when === "before" ? "refused" : "lost";
  };
}
