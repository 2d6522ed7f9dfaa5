import { runCommand } from "../../cli/command.ts";
import { markdownTable } from "../../cli/table.ts";
import type { CartItem } from "../../lib/validators/order.ts";
import { random } from "../../test/support/random.ts";
import { VirtualClock } from "./virtual-clock.ts";

const clock = new VirtualClock();
clock.install();
const { OrderPlacement } = await import("../../lib/repositories/orders/placement.ts");
const { operationsOn } = await import("../../lib/repositories/records/exactly-once.ts");
const { SimulatedDatabase } = await import("./simulated-database.ts");

/** How many processes place orders; each handles one request at a time, as Lambda does. */
const MAX_PROCESSES = 400;
const tables = { orders: "orders", products: "products" };
const orderHeadings = ["orders a second", "served", "refused", "units per order", "p99, ms"];
const blipHeadings = [
  "orders a second",
  "throttled for, s",
  "a second before",
  "1st second after",
  "2nd",
  "3rd",
  "4th",
  "operations left",
];

interface Simulation {
  /** Orders a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly seed: number;
  readonly cartOf: (order: number) => CartItem[];
  readonly stock?: number;
  /** When the products' table is throttled, in seconds. */
  readonly blip?: readonly [from: number, to: number];
}

/** Lets orders arrive at random times, and waits until each has its response. */
async function simulate({ rate, seconds, seed, cartOf, stock = 1_000_000, blip }: Simulation) {
  const { next } = random(seed);
  const start = clock.now;
  const database = new SimulatedDatabase(clock, next, (table, { pk, sk }) =>
    table === "products" && pk && sk ? { pk, sk, ...product(stock) } : undefined,
  );
  const now = () => (clock.now - start) / 1_000;
  if (blip) database.isThrottled = (table) => table === "products" && now() >= blip[0] && now() < blip[1];
  const idle = Array.from(
    { length: MAX_PROCESSES },
    () => new OrderPlacement(database.client(), tables, () => new Date()),
  );
  const served: { readonly at: number; readonly took: number }[] = [];
  let refused = 0;
  const place = async (order: number) => {
    const from = now();
    const placement = idle.pop();
    try {
      if (!placement) throw new Error("No process is free");
      await placement.place(1, cartOf(order), undefined);
      served.push({ at: now(), took: (now() - from) * 1_000 });
    } catch {
      refused += 1;
    }
    if (placement) idle.push(placement);
  };
  const orders: Promise<void>[] = [];
  const arrive = async () => {
    while (now() < seconds) {
      await clock.wait((-Math.log(1 - next()) * 1_000) / rate);
      orders.push(place(orders.length));
    }
  };
  await Promise.all([arrive(), clock.run()]);
  await Promise.all(orders);
  const hot = database.items.get(JSON.stringify(["products", { S: "0" }, { N: "1" }])) ?? {};
  const durations = served.map(({ took }) => took).sort((a, b) => a - b);
  return {
    served,
    refused,
    units: database.units / Math.max(1, served.length),
    p99: durations[Math.floor(durations.length * 0.99)] ?? 0,
    left: operationsOn(hot).length,
    stock: Number(hot.stock?.N),
  };
}

function product(stock: number) {
  const fields = { name: { S: "Kettle" }, description: { S: "x".repeat(200) }, category: { S: "kitchen" } };
  return { ...fields, price: { N: "1" }, stock: { N: String(stock) } };
}

/** A cart with the popular product, and others of its own. */
const cartWith =
  (products: number) =>
  (order: number): CartItem[] =>
    Array.from({ length: products }, (_, i) => ({
      product_id: i === 0 ? 1 : 1_000 * (order * products + i) + 1,
      quantity: 1,
    }));

async function ratesTable(title: string, seed: number, cartOf: (order: number) => CartItem[]): Promise<void> {
  const rows: string[][] = [];
  for (const rate of [60, 150, 300, 450]) {
    const { served, refused, units, p99 } = await simulate({ rate, seconds: 10, seed, cartOf });
    rows.push([rate, served.length / 10, refused / 10, units, p99].map((value) => value.toFixed(0)));
  }
  process.stdout.write(`${title}:\n\n${markdownTable(orderHeadings, rows)}\n`);
}

async function blipsTable(seed: number): Promise<void> {
  const rows: string[][] = [];
  for (const rate of [375])
    for (const seconds of [0.1, 0.3, 1, 10]) {
      const to = 3 + seconds;
      const { served, left } = await simulate({
        rate,
        seconds: to + 5,
        seed,
        cartOf: cartWith(1),
        blip: [3, to],
      });
      const during = (from: number) => served.filter(({ at }) => at >= from && at < from + 1).length;
      rows.push(
        [rate, seconds, during(2), during(to), during(to + 1), during(to + 2), during(to + 3), left].map(
          String,
        ),
      );
    }
  process.stdout.write(`After throttling of the products' table:\n\n${markdownTable(blipHeadings, rows)}\n`);
}

async function sale(seed: number): Promise<void> {
  const stock = 10_000;
  const result = await simulate({ rate: 375, seconds: 45, seed, cartOf: cartWith(2), stock });
  const last = result.served.map(({ at }) => at).sort((a, b) => a - b)[stock - 1];
  process.stdout.write(
    `A sale of ${stock}, carts of two products at 375 a second: ${result.served.length} sold, the last after ${last?.toFixed(0)} s, ${result.stock} left.\n`,
  );
}

await runCommand({
  name: "npm run --silent bench:orders --",
  description: `Simulates orders that share one product, and prints how many are served, also after the table was throttled.
This takes some minutes.

The code that places orders is the service's own, with the SDK and its retries. The database is a model: it stores items,
checks conditions, counts units by the size of an item, throttles a partition key beyond 1,000 write units a second, and
lets a transaction hold its items for 15 ms. Time is simulated, so that the machine does not matter.`,
  options: {
    seed: { type: "integer", min: 1, max: 1_000_000, default: 1, description: "of the random arrivals" },
  },
  async run({ seed }) {
    await ratesTable("Carts of one product", seed, cartWith(1));
    await ratesTable("Carts of two products, one of them shared", seed, cartWith(2));
    await ratesTable("Half of the carts with one product, half with two", seed, (order) =>
      cartWith(1 + (order % 2))(order),
    );
    await blipsTable(seed);
    await sale(seed);
    return 0;
  },
});
