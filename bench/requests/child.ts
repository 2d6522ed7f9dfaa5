/**
 * Measures what lib/http adds to a request, in a process whose environment says whether it logs. Its arguments are
 * how many rounds, and how many requests of each kind in a round; it sends the microseconds per request.
 */
import type { Context } from "aws-lambda";
import { type Case, cases } from "./cases.ts";

/** The name of each case → microseconds per request in each round. */
export type Overheads = Readonly<Record<string, readonly number[]>>;

const [rounds = 1, perRound = 1] = process.argv.slice(2).map(Number);
const context = { functionName: "bench", memoryLimitInMB: "1024", awsRequestId: "0" } as Context;

async function measure({ handler, event }: Case, times: number): Promise<number> {
  const started = performance.now();
  for (let at = 0; at < times; at += 1) await handler(event, context);
  return (1_000 * (performance.now() - started)) / times;
}

for (const each of cases) {
  const { statusCode } = await each.handler(each.event, context);
  if (statusCode !== each.statusCode) throw new Error(`${each.name} answered ${statusCode}`);
  await measure(each, perRound);
}
const found: Record<string, number[]> = Object.fromEntries(cases.map(({ name }) => [name, []]));
// Round by round, so that whatever else the machine does meets all of them alike.
for (let round = 0; round < rounds; round += 1)
  for (const each of cases) found[each.name]?.push(await measure(each, perRound));
process.send?.(found, () => process.exit(0));
