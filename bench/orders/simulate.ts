import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import { runCommand } from "../../cli/command.ts";
import { ApiError } from "../../lib/domain/errors.ts";
import type { CartItem } from "../../lib/validators/order.ts";
import { random } from "../../test/support/random.ts";
import { markdownTable } from "../markdown-table.ts";
import { VirtualClock } from "./virtual-clock.ts";

const clock = new VirtualClock();
clock.install();
const { OrderPlacement } = await import("../../lib/repositories/orders/placement.ts");
const { updateItem } = await import("../../lib/dynamodb/update.ts");
const { operationsOn } = await import("../../lib/records/exactly-once.ts");
const { RecordRepository } = await import("../../lib/records/record-repository.ts");
const { SimulatedDatabase } = await import("./simulated-database.ts");

/** How many processes work; each handles one request at a time, as Lambda does. */
const MAX_PROCESSES = 400;
const BLIP_RATE = 375;
const SPIKE_RATE = 700;
const orderHeadings = ["orders a second", "served", "refused", "units per order", "p99, ms"];
const blipHeadings = [
  "item",
  "disturbed by",
  "a second before",
  "1st second after",
  "2nd",
  "3rd",
  "4th",
  "most operations",
  "left",
  "units a write at most",
];

/** What a process does with each request. */
type Work = (client: DynamoDBDocumentClient) => (request: number) => Promise<unknown>;

interface Simulation {
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly seed: number;
  readonly work: Work;
  readonly stock?: number;
  /** When a table is throttled, or more requests arrive, in seconds. */
  readonly blip?: {
    readonly table?: string;
    readonly rate?: number;
    readonly from: number;
    readonly to: number;
  };
}

/** Lets requests arrive at random times, and waits until each has its response. */
async function simulate({ rate, seconds, seed, work, stock = 1_000_000, blip }: Simulation) {
  const { next } = random(seed);
  const start = clock.now;
  const database = new SimulatedDatabase(clock, next, (table, { pk, sk }) =>
    table === "products" && pk && sk ? { pk, sk, ...product(stock) } : undefined,
  );
  const now = () => (clock.now - start) / 1_000;
  const isDuringBlip = () => blip !== undefined && now() >= blip.from && now() < blip.to;
  database.isThrottled = (table) => table === blip?.table && isDuringBlip();
  const idle = Array.from({ length: MAX_PROCESSES }, () => work(database.client()));
  const served: { readonly at: number; readonly took: number }[] = [];
  let refused = 0;
  const serve = async (request: number) => {
    const from = now();
    const free = idle.pop();
    try {
      if (!free) throw new Error("No process is free");
      await free(request);
      served.push({ at: now(), took: (now() - from) * 1_000 });
    } catch (error) {
      if (!isExpected(error)) throw error;
      refused += 1;
    }
    if (free) idle.push(free);
  };
  const requests: Promise<void>[] = [];
  const arrive = async () => {
    while (now() < seconds) {
      await clock.wait((-Math.log(1 - next()) * 1_000) / ((isDuringBlip() && blip?.rate) || rate));
      requests.push(serve(requests.length));
    }
  };
  await Promise.all([arrive(), clock.run()]);
  await Promise.all(requests);
  const hot = database.items.get(JSON.stringify(["products", { S: "0" }, { N: "1" }])) ?? {};
  const durations = served.map(({ took }) => took).sort((a, b) => a - b);
  return {
    served,
    refused,
    units: database.units / Math.max(1, served.length),
    p99: durations[Math.floor(durations.length * 0.99)] ?? 0,
    left: Math.max(...[...database.items.values()].map((item) => operationsOn(item).length)),
    most: database.largest.operations,
    maxUnits: database.largest.units,
    stock: Number(hot.stock?.N),
  };
}

/** Anything else is a mistake in this simulation. */
function isExpected(error: unknown): boolean {
  return error instanceof ApiError || /No process is free/.test(String(error));
}

function product(stock: number) {
  const fields = { name: { S: "Kettle" }, description: { S: "x".repeat(200) }, category: { S: "kitchen" } };
  return { ...fields, price: { N: "1" }, stock: { N: String(stock) } };
}

const StoredRecord = z.object({ text: z.string() });

const orders =
  (cartOf: (order: number) => CartItem[]): Work =>
  (client) => {
    const tables = { orders: "orders", products: "products" };
    const placement = new OrderPlacement(client, tables, () => new Date());
    return (order) => placement.place(1, cartOf(order), undefined);
  };

/** What many requests change at the same time: its table, and the requests. */
const contended: Readonly<Record<string, readonly [table: string, work: Work]>> = {
  "stock of a product": ["products", orders((order) => cartWith(1)(order))],
  "counter of orders": ["orders", orders((order) => cartWith(1)(order))],
  "counter of other records": [
    "records",
    (client) => {
      const records = new RecordRepository(client, "records", StoredRecord);
      return () => records.create({ text: "Buy milk" }, undefined);
    },
  ],
  "counter of records with a time": [
    "records",
    (client) => {
      const records = new RecordRepository(client, "records", StoredRecord, () => new Date());
      return () => records.create((text) => ({ text }), undefined);
    },
  ],
  "views of a post, failed logins": [
    "counts",
    (client) => () =>
      updateItem(client, {
        TableName: "counts",
        Key: { pk: "0", sk: 1 },
        UpdateExpression: "SET attemptId = :attempt ADD failures :one",
        ConditionExpression: "attribute_not_exists(attemptId) OR attemptId <> :attempt",
        ExpressionAttributeValues: { ":attempt": crypto.randomUUID(), ":one": 1 },
      }),
  ],
};

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
    const { served, refused, units, p99 } = await simulate({ rate, seconds: 10, seed, work: orders(cartOf) });
    rows.push([rate, served.length / 10, refused / 10, units, p99].map((value) => value.toFixed(0)));
  }
  process.stdout.write(`${title}:\n\n${markdownTable(orderHeadings, rows)}\n`);
}

async function blipsTable(seed: number): Promise<void> {
  const rows: string[][] = [];
  for (const [item, [table, work]] of Object.entries(contended))
    for (const seconds of [0.1, 1, 10, undefined]) {
      const to = 3 + (seconds ?? 1);
      const blip = { ...(seconds ? { table } : { rate: SPIKE_RATE }), from: 3, to };
      const result = await simulate({ rate: BLIP_RATE, seconds: to + 5, seed, work, blip });
      const during = (from: number) => result.served.filter(({ at }) => at >= from && at < from + 1).length;
      const rates = [2, to, to + 1, to + 2, to + 3].map(during);
      const name = seconds ? `throttled for ${seconds} s` : `${SPIKE_RATE} a second for 1 s`;
      rows.push([item, name, ...rates, result.most, result.left, result.maxUnits].map(String));
    }
  process.stdout.write(
    `${BLIP_RATE} requests a second, after throttling of their table and after a spike:\n\n${markdownTable(blipHeadings, rows)}\n`,
  );
}

async function sale(seed: number): Promise<void> {
  const stock = 10_000;
  const result = await simulate({ rate: 375, seconds: 45, seed, work: orders(cartWith(2)), stock });
  const last = result.served.map(({ at }) => at).sort((a, b) => a - b)[stock - 1];
  process.stdout.write(
    `A sale of ${stock}, carts of two products at 375 a second: ${result.served.length} sold, the last after ${last?.toFixed(0)} s, ${result.stock} left.\n`,
  );
}

await runCommand({
  name: "npm run --silent bench:orders",
  description: `Simulates orders that share one product, and prints how many are served, also after a table was throttled;
then other requests that change one item. This takes some minutes.

The repositories are the service's own, with the SDK and its retries. The database is a model: it stores items,
checks conditions, counts units by the size of an item, throttles a partition key beyond 1,000 write units a second, and
lets a transaction hold its items for 15 ms. Time is simulated, so that the machine does not matter.`,
  options: {
    seed: { type: "integer", min: 1, max: 1_000_000, default: 1, description: "of the random arrivals" },
    blips: { type: "boolean", description: "only what throttling and spikes leave" },
  },
  async run({ seed, blips }) {
    await blipsTable(seed);
    if (blips) return 0;
    await ratesTable("Carts of one product", seed, cartWith(1));
    await ratesTable("Carts of two products, one of them shared", seed, cartWith(2));
    await ratesTable("Half of the carts with one product, half with two", seed, (order) =>
      cartWith(1 + (order % 2))(order),
    );
    await sale(seed);
    return 0;
  },
});
