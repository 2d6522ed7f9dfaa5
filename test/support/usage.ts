import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/** What a piece of work cost in DynamoDB. */
export interface Usage {
  readonly calls: number;
  /** The longest chain of calls of which each begins after the one before has ended. */
  readonly inSequence: number;
  /** Capacity units, reads and writes added up. */
  readonly units: number;
}

interface Call {
  readonly begun: number;
  ended: number;
  units: number;
}

/**
 * Meters a client: every attempt counts as a call, and the capacity is what DynamoDB says it consumed.
 *
 * @param client its calls are metered from now on
 * @returns a function that runs a piece of work and tells what it cost
 */
export function meter(client: DynamoDBDocumentClient) {
  let calls: Call[] = [];
  let clock = 0;
  client.middlewareStack.add(
    (next) => (args) => next({ ...args, input: { ...args.input, ReturnConsumedCapacity: "TOTAL" } }),
    { name: "askForCapacity", step: "initialize" },
  );
  client.middlewareStack.add(
    (next) => async (args) => {
      clock += 1;
      const call: Call = { begun: clock, ended: Number.POSITIVE_INFINITY, units: 0 };
      calls.push(call);
      const result = await next(args);
      clock += 1;
      call.ended = clock;
      call.units = unitsOf(result.output ?? {});
      return result;
    },
    // Outside of the SDK's own deserializer, so that the output is read already; inside of its retries.
    { name: "meter", step: "deserialize", priority: "high" },
  );
  return async (work: () => Promise<unknown>): Promise<Usage> => {
    calls = [];
    await work();
    return {
      calls: calls.length,
      inSequence: Math.max(0, ...depths(calls)),
      units: calls.reduce((sum, call) => sum + call.units, 0),
    };
  };
}

function unitsOf(output: object): number {
  const { ConsumedCapacity: consumed = [] } = output as {
    ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[];
  };
  return [consumed].flat().reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0);
}

function depths(calls: readonly Call[]): number[] {
  const found: number[] = [];
  for (const call of calls) {
    const before = calls.flatMap((other, i) => (other.ended < call.begun ? [found[i] ?? 0] : []));
    found.push(1 + Math.max(0, ...before));
  }
  return found;
}
