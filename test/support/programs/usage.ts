import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

export interface Usage {
  readonly calls: number;
  /** The longest chain of calls that wait for each other. */
  readonly inSequence: number;
  /** Read and write capacity units together. */
  readonly units: number;
}

interface Call {
  readonly started: number;
  ended: number;
  units: number;
}

/** Meters each attempt of a client as a call, and the capacity that DynamoDB reports. @returns what does metered work */
export function meter(client: DynamoDBDocumentClient) {
  let calls: Call[] = [];
  let clock = 0;
  client.middlewareStack.add(
    (next) => (args) => next({ ...args, input: { ...args.input, ReturnConsumedCapacity: "TOTAL" } }),
    { name: "requestCapacity", step: "initialize" },
  );
  client.middlewareStack.add(
    (next) => async (args) => {
      clock += 1;
      const call: Call = { started: clock, ended: Number.POSITIVE_INFINITY, units: 0 };
      calls.push(call);
      const result = await next(args);
      clock += 1;
      call.ended = clock;
      call.units = unitsOf(result.output ?? {});
      return result;
    },
    // Outside of the SDK's deserializer, to see the output, and inside of its retries, to see every attempt.
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

export function unitsOf(output: object): number {
  const { ConsumedCapacity: consumed = [] } = output as {
    ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[];
  };
  return [consumed].flat().reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0);
}

function depths(calls: readonly Call[]): number[] {
  const chain: number[] = [];
  for (const call of calls) {
    const before = calls.flatMap((other, i) => (other.ended < call.started ? [chain[i] ?? 0] : []));
    chain.push(1 + Math.max(0, ...before));
  }
  return chain;
}
