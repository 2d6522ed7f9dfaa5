import { CreateTableCommand, type CreateTableCommandInput } from "@aws-sdk/client-dynamodb";
import { PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { type Engine, startEngine } from "../../local/database/engine.ts";
import { chooseEngine } from "../../local/database/engine-programs.ts";
import { type LocalRun, runLocally } from "../../local/run.ts";
import { testClient } from "../support/database/database.ts";
import type { AssemblyName } from "../support/infra/assembly.ts";
import { configuredStage, PROXY_SECRET, synthesizedApp } from "../support/infra/assembly.ts";

const restored = configuredStage.tables.replace("accounts:", "");
const log = ({ source, text }: { source: string; text: string }) => {
  process.stderr.write(`[${source}] ${text}\n`);
};

function start(name: AssemblyName, { endpoint }: Engine): Promise<LocalRun> {
  const environment = { AWS_LAMBDA_LOG_LEVEL: "ERROR" };
  return runLocally({ app: synthesizedApp(name), dataDirectory: "memory", endpoint, environment, log });
}

function accountsTable(run: LocalRun): CreateTableCommandInput {
  const table = run.model().tables.find(({ label }) => label === "AccountsTable");
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

/** As a proxy sends it, which the configured stage requires. */
const headers = { "x-proxy-secret": PROXY_SECRET };

async function register({ url }: LocalRun, username: string): Promise<number> {
  const body = JSON.stringify({ username, email: `${username}@example.com`, password: "Analytical1" });
  return (await fetch(`${url}/users/`, { method: "POST", headers, body })).status;
}

it("a prod stage with every setting runs locally, on a restored table instead of its own", async () => {
  const engine = await startEngine(chooseEngine(), undefined, log);
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(engine.stop);
  const before = await start("prod", engine);
  expect(await register(before, "ada")).toBe(201);
  await restore(engine, accountsTable(before));
  expect(await register(before, "bob")).toBe(201);
  await before.close();

  const after = await start("configured", engine);
  expect(accountsTable(after).TableName).toBe(restored);
  // As of the restored table, in which bob never registered.
  expect([await register(after, "ada"), await register(after, "bob")]).toEqual([409, 201]);
  // Reads the signing secret, which is not the stack's own either.
  expect((await fetch(`${after.url}/health/ready`, { headers })).status).toBe(200);
  expect((await fetch(`${after.url}/health/ready`)).status).toBe(403);
  await after.close();

  const back = await start("prod", engine);
  expect(await register(back, "bob")).toBe(409);
  await back.close();
});
