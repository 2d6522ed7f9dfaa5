/** Measures what lib/http adds to a request. Arguments: the number of rounds, and of requests in a round. */
import type { Context } from "aws-lambda";
import { type BenchmarkCase, benchmarkCases } from "./cases.ts";

/** Microseconds per request in each round, by the name of the case. */
export type Overheads = Readonly<Record<string, readonly number[]>>;

const [rounds = 1, perRound = 1] = process.argv.slice(2).map(Number);
const context = {
  ...{ functionName: "bench", memoryLimitInMB: "1024", awsRequestId: "0" },
  getRemainingTimeInMillis: () => 20_000,
} as Context;

async function measure({ handler, event }: BenchmarkCase, times: number): Promise<number> {
  const startedAt = performance.now();
  for (let i = 0; i < times; i += 1) await handler(event, context);
  return (1_000 * (performance.now() - startedAt)) / times;
}

for (const each of benchmarkCases) {
  const { statusCode } = await each.handler(each.event, context);
  if (statusCode !== each.statusCode) throw new Error(`${each.name} returned ${statusCode}`);
  await measure(each, perRound);
}
const overheads: Record<string, number[]> = Object.fromEntries(benchmarkCases.map(({ name }) => [name, []]));
// Round by round, so that other load on the machine affects all cases alike.
for (let round = 0; round < rounds; round += 1)
  for (const each of benchmarkCases) overheads[each.name]?.push(await measure(each, perRound));
process.send?.(overheads, () => process.exit(0));
