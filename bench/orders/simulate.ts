import { runCommand } from "../../cli/command.ts";
import { random } from "../../test/support/random.ts";
import { markdownTable } from "../markdown-table.ts";
import { VirtualClock } from "../simulation/virtual-clock.ts";

const clock = new VirtualClock();
clock.install();
const { ApiError } = await import("../../lib/domain/errors.ts");
const { OrderPlacement } = await import("../../lib/repositories/orders/placement.ts");
const { ProductsRepository } = await import("../../lib/repositories/products.ts");
const { SimulatedDatabase } = await import("../simulation/simulated-database.ts");

/** How many processes work; each handles one request at a time, as Lambda does. */
const PROCESSES = 400;
const tables = { orders: "orders", products: "products" };

/** Requests of one kind: so many a second, and the product of each. */
interface Stream {
  readonly rate: number;
  readonly productOf: (order: number) => number;
}

const one = (rate: number): Stream => ({ rate, productOf: () => 1 });
const different = (rate: number): Stream => ({ rate, productOf: (order) => 101 + (order % 900) });
const ten = (rate: number): Stream => ({ rate, productOf: (order) => 1_000 * (order % 10) + 1 });

const scenarios: Readonly<Record<string, readonly Stream[]>> = {
  "different products": [different(375)],
  "ten products": [ten(375)],
  "one product, 30 a second": [one(30)],
  "one product, 50 a second": [one(50)],
  "one product, 60 a second": [one(60)],
  "one product, 375 a second": [one(375)],
  "the same, and others beside it": [one(375), different(50)],
};

interface Result {
  /** Milliseconds of each. */
  readonly served: number[];
  readonly refused: number[];
}

/** Lets orders arrive at random times, and an administrator set the stock of product 1 every three seconds. */
async function simulate(streams: readonly Stream[], seconds: number, seed: number) {
  const { next } = random(seed);
  const start = clock.now;
  const now = () => clock.now - start;
  const product = {
    ...{ name: { S: "Kettle" }, description: { S: "x".repeat(200) }, category: { S: "kitchen" } },
    ...{ price: { N: "1" }, stock: { N: "1000000" } },
  };
  const database = new SimulatedDatabase(clock, next, (table, { pk, sk }) => {
    const isRecord = pk?.S === String(Math.floor((Number(sk?.N) - 1) / 1_000));
    return table === tables.products && pk && sk && isRecord ? { pk, sk, ...product } : undefined;
  });
  const idle = Array.from(
    { length: PROCESSES },
    () => new OrderPlacement(database.client(), tables, () => new Date()),
  );
  const timed = async (work: () => Promise<unknown>, { served, refused }: Result) => {
    const from = now();
    const [outcome] = await Promise.allSettled([work()]);
    if (outcome?.status === "fulfilled") return void served.push(now() - from);
    const { reason } = outcome ?? {};
    if (!(reason instanceof ApiError) || reason.retryAfterSeconds === undefined) throw reason;
    refused.push(now() - from);
  };
  const order = async (product_id: number, result: Result) => {
    // API Gateway gets a 429 from Lambda where no process is free.
    const process = idle.pop();
    if (process === undefined) return void result.refused.push(0);
    await timed(() => process.place(1, [{ product_id, quantity: 1 }], undefined), result);
    idle.push(process);
  };
  const pending: Promise<unknown>[] = [];
  const arrive = async ({ rate, productOf }: Stream): Promise<Result> => {
    const result: Result = { served: [], refused: [] };
    const times = Array.from({ length: rate * seconds }, () => next() * seconds * 1_000).sort(
      (a, b) => a - b,
    );
    for (const [number, time] of times.entries()) {
      await clock.wait(time - now());
      pending.push(order(productOf(number), result));
    }
    return result;
  };
  const administer = async (): Promise<Result> => {
    const products = new ProductsRepository(database.client(), tables.products);
    const result: Result = { served: [], refused: [] };
    for (let at = 700; at < seconds * 1_000; at += 3_000) {
      await clock.wait(Math.max(0, at - now()));
      await timed(() => products.update(1, { stock: 500_000 }), result);
    }
    return result;
  };
  const [changes, results] = await Promise.all([administer(), Promise.all(streams.map(arrive)), clock.run()]);
  await clock.run();
  await Promise.all(pending);
  return { results, changes, units: database.units / seconds };
}

/** @param part from 0 to 1 */
function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
}

const columns = [
  "Orders",
  "Served",
  "a second",
  "p99, ms",
  "Refused a second",
  "after at most, ms",
  "Units a second",
  "Changes of the stock",
];

await runCommand({
  name: "npm run --silent bench:orders",
  description:
    "Simulates orders of popular products: DynamoDB lets a transaction hold its items for 15 ms, and another one that " +
    "needs them is cancelled, here at no cost. Prints how many orders a second are served and refused.",
  options: {
    seed: { type: "integer", min: 1, max: 1_000_000, default: 1, description: "of the random arrivals" },
    seconds: { type: "integer", min: 1, max: 1_000, default: 10, description: "of each row" },
  },
  async run({ seed, seconds }) {
    const rows: string[][] = [];
    for (const [name, streams] of Object.entries(scenarios)) {
      const { results, changes, units } = await simulate(streams, seconds, seed);
      for (const [i, { served, refused }] of results.entries())
        rows.push([
          i === 0 ? name : "…, the others",
          `${((100 * served.length) / (served.length + refused.length)).toFixed(1)} %`,
          (served.length / seconds).toFixed(0),
          String(quantile(served, 0.99)),
          (refused.length / seconds).toFixed(0),
          String(quantile(refused, 1)),
          units.toFixed(0),
          `${changes.served.length} of ${changes.served.length + changes.refused.length}`,
        ]);
    }
    process.stdout.write(
      "# Orders of popular products\n\nPrinted by `npm run --silent bench:orders`; [ADR 7](../adr/0007-orders-only-go-forward.md) explains it.\n\n",
    );
    process.stdout.write(markdownTable(columns, rows));
    return 0;
  },
});
