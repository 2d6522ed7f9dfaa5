import type { CallInput, Fault, Plan } from "../../support/database/faults.ts";

/** The calls of an order, in their order; `return`, `release`, `mark` and `raise` only after a failure. */
export type Step =
  | "read"
  | "reserve"
  | "claim"
  | "deduct"
  | "allocate"
  | "complete"
  | "remove"
  | "delete"
  | "return"
  | "release"
  | "mark"
  | "raise";

/** Recognizes the step of an order that makes a call; undefined for any other call. */
export function stepOf(operation: string, input: CallInput): Step | undefined {
  const { UpdateExpression: update = "", TransactItems: items = [], Key = {} } = input;
  const { S: pk = "" } = (Key.pk ?? {}) as { readonly S?: string };
  if (operation === "BatchGetItem") return "read";
  if (operation === "DeleteItem") return "delete";
  if (operation === "TransactWriteItems") return items.length > 0 && items[0]?.Put ? "complete" : "release";
  if (operation !== "UpdateItem") return undefined;
  if (update.startsWith("ADD epoch")) return "raise";
  if (update.includes("stock -")) return "deduct";
  if (update.includes("stock +")) return "return";
  if (update.startsWith("REMOVE #operation")) return "remove";
  if (pk === "ids") return "allocate";
  if (pk.startsWith("key#")) return "claim";
  return input.ConditionExpression?.startsWith("attribute_not_exists") ? "reserve" : "mark";
}

/**
 * Lets attempts at a step fail.
 *
 * @param from the first attempt at the step that fails, from 1
 * @param to the last one; by default all fail
 */
export function failing(step: Step, fault: Fault, from = 1, to = Number.POSITIVE_INFINITY): Plan {
  return atStep(step, (attempt) => (attempt >= from && attempt <= to ? fault : undefined));
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

/** A process that ends before it makes the given step, or another one after that. */
export function crashBefore(step: Step): Plan {
  let isDead = false;
  return (operation, _, input) => {
    isDead ||= stepOf(operation, input) === step;
    return isDead ? "refused" : undefined;
  };
}
