import type {
  DatabaseCall,
  EngineFault,
  FaultyEngine,
  LateArrival,
} from "../support/database/faulty-engine.ts";
import { random } from "../support/random.ts";

const faultPercent: Readonly<Record<Exclude<EngineFault, object>, number>> = {
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
};

/** Percent of writes that arrive late, by 3 to 30 s: after a second attempt, once more, or after all were given up. */
const latePercent = { once: 0.6, repeated: 0.3, all: 0.1 };
const lateCalls = { from: 300, to: 3_000 };

/** Now and then most calls fail for a while, so that the retries of a call do not suffice. */
const outage = { everyCalls: 2_500, calls: 60, share: 0.7 };

/** Now and then all writes are throttled for a moment, so that no retry succeeds. */
const blip = { everyCalls: 1_900, calls: 120 };

const writes = ["PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems"];

/** Faults in the order that the seed determines. @param density multiplies the share of database calls that fail */
export function faultPlan(seed: number, density = 1): FaultyEngine["plan"] {
  const { next, weighted } = random(seed);
  const total = (density * sum(faultPercent)) / 100;
  const lateness = latePlan(seed, density);
  let calls = 0;
  const isWithin = ({ everyCalls, calls: length }: typeof blip) => calls % everyCalls >= everyCalls - length;
  const randomFault = ({ operation }: DatabaseCall) => {
    if (next() >= (isWithin(outage) ? outage.share : total)) return undefined;
    const fault = weighted(faultPercent);
    if (fault === "leftOver" && operation !== "BatchGetItem") return undefined;
    return fault === "conflict" && !writes.includes(operation) ? undefined : fault;
  };
  return (call) => {
    if (call.operation === "GetSecretValue") return undefined;
    calls += 1;
    const late = lateness(call);
    return late ?? (isWithin(blip) && writes.includes(call.operation) ? "throttled" : randomFault(call));
  };
}

function latePlan(seed: number, density: number): (call: DatabaseCall) => LateArrival | undefined {
  const { next, below, weighted } = random(seed, -1);
  const neverInTime = new Set<string>();
  return ({ operation, invocation }) => {
    const isLate = next() < (density * sum(latePercent)) / 100 && writes.includes(operation);
    if (!isLate && !neverInTime.has(invocation)) return undefined;
    const kind = neverInTime.has(invocation) ? "all" : weighted(latePercent);
    if (kind === "all") neverInTime.add(invocation);
    const afterCalls = lateCalls.from + below(lateCalls.to - lateCalls.from);
    return { afterCalls, isRepeated: kind === "repeated" };
  };
}

function sum(percents: Readonly<Record<string, number>>): number {
  return Object.values(percents).reduce((total, percent) => total + percent, 0);
}
