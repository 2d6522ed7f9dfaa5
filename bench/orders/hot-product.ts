import { runCommand } from "../../cli/command.ts";
import { markdownTable } from "../../cli/table.ts";
import { OrderPlacement } from "../../lib/repositories/orders/placement.ts";
import type { CartItem } from "../../lib/validators/order.ts";
import { random } from "../../test/support/random.ts";
import { SimulatedDatabase } from "./simulated-database.ts";
import { VirtualClock } from "./virtual-clock.ts";

const START = Date.UTC(2026, 0, 1);
/** Orders a second. */
const RATES = [60, 80, 150, 300, 450];
/** How long a transaction holds its items. */
const HOLD_MS = 15;
/** How long orders arrive. */
const SECONDS = 30;
const headings = [
  "orders a second",
  "served",
  "refused",
  "transactions per order",
  "p99, ms",
  "most in flight",
];

/**
 * Lets orders arrive at random times, all for one product, and waits until each has its response.
 *
 * @param rate orders a second
 * @param products different ones in a cart: the hot one and others of its own
 * @returns a row of the table
 */
async function simulate(rate: number, products: number): Promise<string[]> {
  const { next } = random(1);
  const clock = new VirtualClock();
  const database = new SimulatedDatabase(clock, HOLD_MS, next);
  const tables = { orders: "orders", products: "products" };
  const placement = new OrderPlacement(database.client(), tables, () => new Date(START + clock.now));
  const durations: number[] = [];
  let [refused, inFlight, mostInFlight] = [0, 0, 0];
  const place = async (order: number) => {
    const from = clock.now;
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    const cart: CartItem[] = Array.from({ length: products }, (_, i) => ({
      product_id: i === 0 ? 1 : order * products + i + 1,
      quantity: 1,
    }));
    await placement.place(1, cart, undefined).then(
      () => durations.push(clock.now - from),
      () => {
        refused += 1;
      },
    );
    inFlight -= 1;
  };
  const orders: Promise<void>[] = [];
  const arrive = async () => {
    while (clock.now < SECONDS * 1_000) {
      await clock.wait((-Math.log(1 - next()) * 1_000) / rate);
      orders.push(place(orders.length));
    }
  };
  await Promise.all([arrive(), clock.run()]);
  await Promise.all(orders);
  durations.sort((a, b) => a - b);
  const transactions = database.transactions / Math.max(1, durations.length);
  const p99 = durations[Math.floor(durations.length * 0.99)] ?? 0;
  return [
    ...[rate, durations.length / SECONDS, refused / SECONDS].map((each) => each.toFixed(0)),
    ...[transactions.toFixed(1), p99.toFixed(0), String(mostInFlight)],
  ];
}

await runCommand({
  name: "npm run --silent bench:orders --",
  description: `Simulates orders of one product, alone and with another one, and prints how many are served. This
takes about two minutes.

The code that places orders is the service's own, with its retries. The database is a model: a transaction
holds its items for a while, and one that meets it is cancelled; other writes of an item wait for each other
for 1 ms, and conflict with a transaction; a read takes 4 ms. Time is simulated, so that the machine does not matter.`,
  async run() {
    for (const products of [1, 2]) {
      const rows: string[][] = [];
      for (const rate of RATES) rows.push(await simulate(rate, products));
      process.stdout.write(`Carts of ${products === 1 ? "one product" : "two products"}:\n\n`);
      process.stdout.write(`${markdownTable(headings, rows)}\n`);
    }
    return 0;
  },
});
