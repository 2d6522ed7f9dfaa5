import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { testClient } from "./database.ts";
import { faultyEngine } from "./faulty-engine.ts";

const PROCESSES = 12;
const ROUNDS = 2;

/**
 * Lets 12 processes work at the same time while all writes are throttled, and every second one, and then none.
 *
 * @param open a process with this client, which does some work each time that it is called
 * @returns how many calls of the database the work takes before and afterwards
 */
export async function throughBurst(
  endpoint: string,
  open: (client: DynamoDBDocumentClient) => () => Promise<unknown>,
): Promise<{ readonly before: number; readonly after: number }> {
  await using cleanup = new AsyncDisposableStack();
  const proxy = cleanup.adopt(await faultyEngine(endpoint), (it) => it.close());
  let calls = 0;
  const throttle = (every: number) => {
    proxy.plan = ({ operation }) => {
      calls += 1;
      return /Write|Update|Put|Delete/.test(operation) && calls % every === 0 ? "throttled" : undefined;
    };
  };
  const processes = Array.from({ length: PROCESSES }, () => open(testClient(proxy.url)));
  const [first = open(testClient(proxy.url))] = processes;
  const callsOfOne = async () => {
    const start = calls;
    await first();
    return calls - start;
  };
  throttle(Number.POSITIVE_INFINITY);
  await first();
  const before = await callsOfOne();
  for (const every of [1, 2, Number.POSITIVE_INFINITY]) {
    throttle(every);
    for (let round = 0; round < ROUNDS; round += 1)
      await Promise.allSettled(processes.map((process) => process()));
  }
  // What the burst has left may be removed now.
  await first();
  return { before, after: await callsOfOne() };
}
