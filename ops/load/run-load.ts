import { randomUUID } from "node:crypto";
import { createHttpClient } from "../http-client.ts";
import { generateLoad, type Sample } from "./generator.ts";
import { createMix, createRequestPicker } from "./mix.ts";
import { createProgressCounter } from "./progress.ts";
import { RecordPaths, seededRandom } from "./records.ts";
import { TestData } from "./test-data.ts";

interface LoadOptions {
  readonly url: URL;
  readonly seconds: number;
  readonly connections: number;
  /** The maximum number of requests. */
  readonly requests: number;
  /** The password of the account `admin`. Without it, no orders are placed. */
  readonly adminPassword: string | undefined;
  /** Ends the load early, after the running requests. */
  readonly stop: AbortSignal;
  /** Called with each line of progress. */
  readonly progress: (text: string) => void;
}

export interface LoadResult {
  readonly samples: readonly Sample[];
  /** The relative frequency of each route of the mix. */
  readonly weights: ReadonlyMap<string, number>;
}

/** Removing the records may take as long as the load, but at least this long. */
const MIN_REMOVAL_MS = 60_000;

/**
 * Creates records, loads the service with the mix of requests, and removes the records except orders.
 *
 * @throws {CommandError} if the records can't be created
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { url, seconds, connections, adminPassword, progress } = options;
  const client = createHttpClient(url, connections);
  const random = seededRandom(1);
  const records = new RecordPaths(random);
  const name = `load_${randomUUID().slice(0, 8)}`;
  const testData = new TestData(client, records, name);
  try {
    const canOrder = await testData.create(adminPassword);
    if (!canOrder)
      progress("No orders without --admin-password: they would reduce the stock of real products.");
    const mix = createMix(records, random, name, canOrder);
    const counter = createProgressCounter(progress);
    const profile = { ...options, onSample: counter.onSample };
    const samples = await generateLoad(client, createRequestPicker(mix, random), profile).finally(
      counter.end,
    );
    return { samples, weights: new Map(mix.map(({ route, weight }) => [route, weight])) };
  } finally {
    await removeTestData(testData, Math.max(MIN_REMOVAL_MS, 1_000 * seconds), progress);
    client.close();
  }
}

/** Reports a failure instead of throwing it: the measurement is valid even if the service is down by now. */
async function removeTestData(
  testData: TestData,
  timeoutMs: number,
  progress: LoadOptions["progress"],
): Promise<void> {
  try {
    progress(`${await testData.remove(AbortSignal.timeout(timeoutMs))} records removed; orders remain`);
  } catch (error) {
    progress(`Some records could not be removed: ${error instanceof Error ? error.message : error}`);
  }
}
