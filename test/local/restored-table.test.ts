import { CreateTableCommand, type CreateTableCommandInput } from "@aws-sdk/client-dynamodb";
import { PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { type Engine, startEngine } from "../../local/database/engine.ts";
import { findEngines } from "../../local/database/engine-programs.ts";
import { type LocalRun, runLocally } from "../../local/run.ts";
import { testClient } from "../support/database/database.ts";
import { type AssemblyName, configuredStage, synthesizedApp } from "../support/infra/assembly.ts";

const restored = configuredStage.tables.replace("orders:", "");
const log = ({ source, text }: { source: string; text: string }) => {
  process.stderr.write(`[${source}] ${text}\n`);
};

function start(name: AssemblyName, { endpoint }: Engine): Promise<LocalRun> {
  const environment = { AWS_LAMBDA_LOG_LEVEL: "ERROR" };
  return runLocally({
    app: synthesizedApp(name),
    stage: "prod",
    dataDirectory: "memory",
    endpoint,
    environment,
    log,
  });
}

function ordersTable(run: LocalRun): CreateTableCommandInput {
  const table = run.model().tables.find(({ label }) => label === "OrdersTable");
  return table?.request as unknown as CreateTableCommandInput;
}

/** Copies a table under the restored one's name: a way back that every engine has. */
async function restore({ endpoint }: Engine, table: CreateTableCommandInput): Promise<void> {
  const client = testClient(endpoint);
  await client.send(new CreateTableCommand({ ...table, TableName: restored }));
  const { Items: items = [] } = await client.send(new ScanCommand({ TableName: table.TableName }));
  for (const Item of items) await client.send(new PutCommand({ TableName: restored, Item }));
  client.destroy();
}

async function order({ url }: LocalRun): Promise<number> {
  const body = JSON.stringify([{ product_id: 1, quantity: 1 }]);
  const response = await fetch(`${url}/orders`, { method: "POST", body });
  return ((await response.json()) as { id: number }).id;
}

async function orderIds({ url }: LocalRun, query: string): Promise<number[]> {
  const response = await fetch(`${url}/orders?${query}`);
  return ((await response.json()) as { id: number }[]).map(({ id }) => id);
}

it("a prod stage with every setting runs locally, on a restored table instead of its own", async () => {
  const engine = await startEngine(findEngines(process.env.PATH ?? ""), undefined, log);
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(engine.stop);
  const before = await start("prod", engine);
  expect([await order(before), await order(before)]).toEqual([1, 2]);
  await restore(engine, ordersTable(before));
  expect(await order(before)).toBe(3);
  await before.close();

  const after = await start("configured", engine);
  expect(ordersTable(after).TableName).toBe(restored);
  // As of the restored table, in which order 3 was never placed.
  expect(await orderIds(after, "status=pending")).toEqual([1, 2]);
  expect(await order(after)).toBe(3);
  expect(await orderIds(after, "user_id=1")).toEqual([1, 2, 3]);
  await after.close();

  const back = await start("prod", engine);
  expect(await order(back)).toBe(4);
  await back.close();
});
