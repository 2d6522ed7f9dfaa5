import type { EngineFault, FaultyEngine } from "../support/database/faulty-engine.ts";
import { random } from "../support/random.ts";

/** The share of calls with each fault, in percent. */
const faultPercent: Readonly<Record<EngineFault, number>> = {
  throttled: 0.8,
  failed: 0.6,
  conflict: 0.6,
  reset: 0.6,
  lost: 0.8,
  resetAfter: 0.6,
  delayed: 0.5,
  leftOver: 0.2,
  // These take seconds.
  stalled: 0.01,
  stalledAfter: 0.02,
  late: 0.03,
};

/** Now and then most calls fail for a while, so that the retries of a call do not suffice. */
const outage = { everyCalls: 2_500, calls: 60, share: 0.7 };

/** The operations that can conflict with a transaction. */
const writes = ["PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems"];

/**
 * Faults of all kinds, in the order that the seed determines. Only calls of the database fail.
 *
 * @param density multiplies the share of calls that fail
 */
export function faultPlan(seed: number, density = 1): FaultyEngine["plan"] {
  const { next, weighted } = random(seed);
  const percents = Object.values(faultPercent);
  const total = (density * percents.reduce((sum, percent) => sum + percent, 0)) / 100;
  let calls = 0;
  return ({ operation }) => {
    if (operation === "GetSecretValue") return undefined;
    calls += 1;
    const isOutage = calls % outage.everyCalls >= outage.everyCalls - outage.calls;
    if (next() >= (isOutage ? outage.share : total)) return undefined;
    const fault = weighted(faultPercent);
    if (fault === "leftOver" && operation !== "BatchGetItem") return undefined;
    if (fault === "conflict" && !writes.includes(operation)) return undefined;
    return fault;
  };
}
