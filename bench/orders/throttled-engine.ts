import { setTimeout as wait } from "node:timers/promises";
import { runCommand } from "../../cli/command.ts";
import { ApiError } from "../../lib/domain/errors.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { operationsOn } from "../../lib/records/exactly-once.ts";
import { OrderPlacement } from "../../lib/repositories/orders/placement.ts";
import { ProductsRepository } from "../../lib/repositories/products.ts";
import { callDynamodb } from "../../local/database/dynamodb-call.ts";
import { startEngine } from "../../local/database/engine.ts";
import { chooseEngine } from "../../local/database/engine-programs.ts";
import { faultyEngine } from "../../test/support/database/faulty-engine.ts";
import { markdownTable } from "../markdown-table.ts";

const PROCESSES = 60;
const SECONDS_BEFORE = 3;
const SECONDS_AFTER = 4;
const tables = { orders: "orders", products: "products" };

/** Orders of one product, of whose table all calls are throttled for a while. */
async function blip(rate: number, milliseconds: number): Promise<string[]> {
  await using cleanup = new AsyncDisposableStack();
  const engine = cleanup.adopt(await startEngine(chooseEngine(), undefined, () => undefined), (it) =>
    it.stop(),
  );
  const proxy = cleanup.adopt(await faultyEngine(engine.endpoint), (it) => it.close());
  for (const TableName of Object.values(tables))
    await callDynamodb(engine, "CreateTable", {
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "N" },
      ],
    });
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = () => documentClient({ config: { endpoint: proxy.url, region: "us-east-1", credentials } });
  const products = new ProductsRepository(client(), tables.products);
  const product = { name: "Kettle", description: "", price: 1, stock: 1_000_000, category: "kitchen" };
  const { record } = await products.create(product, undefined);
  const idle = Array.from(
    { length: PROCESSES },
    () => new OrderPlacement(client(), tables, () => new Date()),
  );

  const startedAt = performance.now();
  const now = () => performance.now() - startedAt;
  const [from, to] = [1_000 * SECONDS_BEFORE, 1_000 * SECONDS_BEFORE + milliseconds];
  proxy.plan = ({ body }) =>
    (body.TableName ?? tables.products) === tables.products && now() >= from && now() < to
      ? "throttled"
      : undefined;
  const served: number[] = [];
  const place = async () => {
    const process = idle.pop();
    try {
      await process?.place(1, [{ product_id: record.id, quantity: 1 }], undefined);
      if (process) served.push(now());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    if (process) idle.push(process);
  };
  const orders: Promise<void>[] = [];
  while (now() < to + 1_000 * SECONDS_AFTER) {
    while (orders.length < (rate * now()) / 1_000) orders.push(place());
    await wait(2);
  }
  await Promise.all(orders);
  const [item = {}] = await products.readMany([record.id]);
  const within = (start: number) => served.filter((at) => at >= start && at < start + 1_000).length;
  const after = Array.from({ length: SECONDS_AFTER }, (_, i) => within(to + 1_000 * i));
  return [`${milliseconds / 1_000} s`, within(from - 1_000), ...after, operationsOn(item).length].map(String);
}

await runCommand({
  name: "npm run --silent bench:throttled",
  description: `Lets orders of one product arrive at the local database through a proxy that throttles the table of products for
a while, and prints how many are served in each second. Time is real: use a quiet machine.`,
  options: { rate: { type: "integer", min: 1, max: 1_000, default: 100, description: "orders a second" } },
  async run({ rate }) {
    const headings = [
      "throttled for",
      "a second before",
      "1st after",
      "2nd",
      "3rd",
      "4th",
      "operations left",
    ];
    const rows: string[][] = [];
    for (const milliseconds of [100, 1_000, 10_000]) rows.push(await blip(rate, milliseconds));
    process.stdout.write(`${rate} orders a second of one product:\n\n${markdownTable(headings, rows)}\n`);
    return 0;
  },
});
