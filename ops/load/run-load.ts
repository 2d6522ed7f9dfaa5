import { randomUUID } from "node:crypto";
import { createClient } from "../cli/http-client.ts";
import { generate, type Sample } from "./generator.ts";
import { chooser, mix } from "./mix.ts";
import { createProgress } from "./progress.ts";
import { Records, randomFrom } from "./records.ts";
import { Stock } from "./test-data.ts";

export interface LoadOptions {
  readonly url: URL;
  readonly seconds: number;
  readonly connections: number;
  /** The most requests that are sent. */
  readonly requests: number;
  /** With the password of the account `admin`, orders are placed. */
  readonly adminPassword: string | undefined;
  /** Ends the load early; what runs is waited for. */
  readonly stop: AbortSignal;
  /** Hears what is being done, a line each. */
  readonly say: (text: string) => void;
}

export interface LoadResult {
  readonly samples: readonly Sample[];
  /** The routes of the mix, and how often each was to be called compared with the others. */
  readonly weights: ReadonlyMap<string, number>;
}

/** Removing may take as long as the load, and a minute at least. */
const leastMsForRemoval = 60_000;

/**
 * Puts in records, loads the service with the mix, and removes what was created but for the orders.
 *
 * @returns what became of the requests
 * @throws {PlainError | NoAnswer} when the records cannot be created
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { url, seconds, connections, adminPassword, say } = options;
  const client = createClient(url, connections);
  const random = randomFrom(1);
  const records = new Records(random);
  const name = `load_${randomUUID().slice(0, 8)}`;
  const stock = new Stock(client, records, name);
  try {
    const withOrders = await stock.fill(adminPassword);
    if (!withOrders) say("Without --admin-password no orders are placed: they would take others' stock.");
    const operations = mix(records, random, name, withOrders);
    const progress = createProgress(say);
    const load = { ...options, onSample: progress.onSample };
    const samples = await generate(client, chooser(operations, random), load).finally(progress.end);
    return { samples, weights: new Map(operations.map(({ route, weight }) => [route, weight])) };
  } finally {
    await clear(stock, Math.max(leastMsForRemoval, 1_000 * seconds), say);
    client.close();
  }
}

/** What was measured is worth having even if the service has gone since. */
async function clear(stock: Stock, limitMs: number, say: LoadOptions["say"]): Promise<void> {
  try {
    say(`${await stock.clear(AbortSignal.timeout(limitMs))} records removed; orders stay`);
  } catch (error) {
    say(`Not everything could be removed: ${error instanceof Error ? error.message : error}`);
  }
}
