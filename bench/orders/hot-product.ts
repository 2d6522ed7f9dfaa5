import { runCommand } from "../../cli/command.ts";
import { OrderPlacement } from "../../lib/repositories/orders/placement.ts";
import type { CartItem } from "../../lib/validators/order.ts";
import { random } from "../../test/support/random.ts";
import { SimulatedDatabase } from "./simulated-database.ts";
import { VirtualClock } from "./virtual-clock.ts";

const START = Date.UTC(2026, 0, 1);

interface Result {
  readonly rate: number;
  readonly served: number;
  readonly refused: number;
  readonly transactionsPerOrder: number;
  readonly p99: number;
  readonly mostInFlight: number;
}

/**
 * Lets orders arrive at random times, all for one product, and waits until each has its response.
 *
 * @param rate orders a second
 * @param hold how long a transaction holds its items, in milliseconds
 * @param products different ones in a cart: the hot one and others of its own
 */
async function simulate(rate: number, hold: number, seconds: number, products: number): Promise<Result> {
  const { next } = random(1);
  const clock = new VirtualClock();
  const database = new SimulatedDatabase(clock, hold, next);
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
    while (clock.now < seconds * 1_000) {
      await clock.wait((-Math.log(1 - next()) * 1_000) / rate);
      orders.push(place(orders.length));
    }
  };
  await Promise.all([arrive(), clock.run()]);
  await Promise.all(orders);
  durations.sort((a, b) => a - b);
  return {
    rate,
    served: durations.length / seconds,
    refused: refused / seconds,
    transactionsPerOrder: database.transactions / Math.max(1, durations.length),
    p99: durations[Math.floor(durations.length * 0.99)] ?? 0,
    mostInFlight,
  };
}

await runCommand({
  name: "npm run --silent bench:orders --",
  description: `Simulates orders of one product and prints how many are served.

The code that places orders is the service's own, with its retries. The database is a model: a transaction
holds its items for a while, and one that meets it is cancelled; other writes of an item wait for each other
for 1 ms, and conflict with a transaction; a read takes 4 ms. Time is simulated, so that the machine does not matter.`,
  options: {
    rates: {
      type: "string",
      placeholder: "N,N",
      description: "orders a second (default: 60,80,150,300,450)",
    },
    hold: {
      type: "string",
      placeholder: "MS",
      description: "how long a transaction holds its items (default: 15)",
    },
    seconds: { type: "string", placeholder: "N", description: "how long orders arrive (default: 30)" },
    products: {
      type: "string",
      placeholder: "N",
      description: "products per cart, one of them hot (default: 1)",
    },
  },
  async run({ rates = "60,80,150,300,450", hold = "15", seconds = "30", products = "1" }) {
    const results: Result[] = [];
    process.stdout.write(
      "| orders a second | served | refused | transactions per served order | p99, ms | most in flight |\n|---|---|---|---|---|---|\n",
    );
    for (const rate of rates.split(",")) {
      const result = await simulate(Number(rate), Number(hold), Number(seconds), Number(products));
      results.push(result);
      const { served, refused, transactionsPerOrder, p99, mostInFlight } = result;
      const cells = [
        rate,
        served.toFixed(0),
        refused.toFixed(0),
        transactionsPerOrder.toFixed(1),
        p99.toFixed(0),
      ];
      process.stdout.write(`| ${[...cells, mostInFlight].join(" | ")} |\n`);
    }
    const most = Math.max(...results.map(({ served }) => served));
    process.stdout.write(`\nCeiling: ${most.toFixed(0)} orders a second.\n`);
    return 0;
  },
});
