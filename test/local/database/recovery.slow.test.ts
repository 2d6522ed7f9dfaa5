import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { Reservations } from "../../../lib/repositories/orders/reservations.ts";
import { IdAllocation } from "../../../lib/repositories/records/id-allocation.ts";
import { catalogProducts } from "../../../lib/repositories/sample-catalog.ts";
import { callDynamodb } from "../../../local/database/dynamodb-call.ts";
import { startEngine } from "../../../local/database/engine.ts";
import { findEngines } from "../../../local/database/engine-programs.ts";
import { recoverFromUncleanShutdown } from "../../../local/database/unclean-shutdown.ts";
import { withTables } from "../../../local/database/with-tables.ts";
import { runLocally } from "../../../local/run.ts";
import { type Started, startProgram } from "../../support/programs/started.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const program = fileURLToPath(new URL("../../../local/start.ts", import.meta.url));

const admin = { username: "admin", password: "Analytical1" };

let directory: string;
let started: Started[] = [];
beforeEach(() => {
  directory = temporaryDirectory(onTestFinished);
});
afterEach(async () => {
  for (const each of started) await each.end("SIGKILL");
  started = [];
});

async function start(environment: Record<string, string> = {}) {
  const run = startProgram(program, {
    DATA_DIR: directory,
    PORT: "0",
    ADMIN_PASSWORD: admin.password,
    ...environment,
  });
  started.push(run);
  const [, url = ""] = await run.printed(/Ready at (\S+)/);
  const login = await fetch(`${url}/auth/login`, { method: "POST", body: JSON.stringify(admin) });
  const { access_token: token } = (await login.json()) as { access_token: string };
  return { run, url, headers: { authorization: `Bearer ${token}` } };
}

type Service = Awaited<ReturnType<typeof start>>;

/** Creates a product: its list has a total. */
async function post({ url, headers }: Service, name: string): Promise<Response> {
  const product = { name, description: "", price: 1, stock: 1, category: "kitchen" };
  const response = await fetch(`${url}/products`, { method: "POST", headers, body: JSON.stringify(product) });
  await response.text();
  return response;
}

async function create(service: Service, name: string): Promise<{ id: number; name: string }> {
  return created(await post(service, name), name);
}

/** The product that a response has acknowledged. */
function created(response: Response, name: string): { id: number; name: string } {
  expect(response.status).toBe(201);
  return { id: Number(response.headers.get("location")?.split("/").pop()), name };
}

/** Reads all pages of products, and the total of the last one. */
async function pageThrough({ url }: Service) {
  const products: { id: number; name: string }[] = [];
  for (let page = 1; ; page += 1) {
    const response = await fetch(`${url}/products?page=${page}&size=100`);
    const { items, total } = (await response.json()) as { items: typeof products; total: number };
    products.push(...items.map(({ id, name }) => ({ id, name })));
    if (items.length < 100) return { products, total };
  }
}

/** Changes the data while nothing else uses it. */
async function betweenRuns(
  work: (client: DynamoDBDocumentClient, table: (area: string) => string) => Promise<unknown>,
): Promise<void> {
  const engine = await startEngine(findEngines(process.env.PATH ?? ""), directory, () => undefined);
  const { TableNames: names } = await callDynamodb(engine, "ListTables", {});
  const table = (label: string) => (names as string[]).find((name) => name.includes(label)) ?? "";
  await withTables(engine, [], (client) => work(client, table));
  await engine.stop();
}

const repairing = "after an unclean shutdown";

/** Creates products, eight at once, until the run is killed after 60: those that were acknowledged. */
async function writeUntilKilled(service: Service) {
  const acknowledged: { id: number; name: string }[] = [];
  let isKilled = false;
  /** @returns false after the kill */
  const write = async (name: string) => {
    try {
      const response = await post(service, name);
      // On a busy machine, eight at once can wait too long for a function.
      if (response.status !== 503) acknowledged.push(created(response, name));
      return true;
    } catch (error) {
      // What `fetch` throws after the kill.
      if (isKilled && error instanceof TypeError) return false;
      throw error;
    }
  };
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; await write(`product ${writer}-${n}`); n += 1) {
      if (acknowledged.length < 60) continue;
      isKilled = true;
      service.run.process.kill("SIGKILL");
    }
  });
  await Promise.all(writers);
  return acknowledged;
}

describe("a start after an unclean shutdown", () => {
  it("keeps every acknowledged record, and repairs totals and stock", async () => {
    const first = await start();
    const acknowledged = await writeUntilKilled(first);
    await first.run.end("SIGKILL");
    let last = 0;
    // The kill may or may not leave such an id and reservation; these are certain.
    await betweenRuns(async (client, table) => {
      last = await new IdAllocation(client, table("ProductsTable")).allocate();
      const tables = { orders: table("OrdersTable"), products: table("ProductsTable") };
      const { price = 0 } = catalogProducts[0] ?? {};
      await new Reservations(client, tables, () => new Date()).reserve([
        { product_id: 1, quantity: 3, price },
      ]);
    });

    const second = await start();
    expect(second.run.output()).toContain(repairing);
    expect(second.run.output()).toMatch(
      /^Repaired [1-9]\d* ids? without a record, 1 stock reservation after an unclean shutdown in/m,
    );
    const { products, total } = await pageThrough(second);
    expect(products).toEqual(expect.arrayContaining(acknowledged));
    expect(total).toBe(products.length);
    const product = await (await fetch(`${second.url}/products/1`)).json();
    expect(product).toMatchObject({ stock: catalogProducts[0]?.stock });

    const [next, afterNext] = [await create(second, "next"), await create(second, "after that")];
    expect(next.id).toBe(last + 1);
    expect(afterNext.id).toBe(next.id + 1);
    expect((await pageThrough(second)).total).toBe(total + 2);

    expect(await second.run.end("SIGTERM")).toBe(0);
    const third = await start();
    expect(third.run.output()).not.toContain(repairing);
  });

  it("repairs the data even if another start failed before", async () => {
    const first = await start({ SEED: "none" });
    await create(first, "kept");
    await first.run.end("SIGKILL");
    await betweenRuns((client, table) => new IdAllocation(client, table("ProductsTable")).allocate());
    const failed = startProgram(program, { DATA_DIR: directory, PORT: "0", VERSION_HEADER: "not a name" });
    started.push(failed);
    expect(await failed.end("SIGCONT")).toBe(1);

    const second = await start({ SEED: "none" });
    expect(second.run.output()).toMatch(
      /^Repaired 1 id without a record, 0 stock reservations after an unclean shutdown in/m,
    );
    expect(await pageThrough(second)).toEqual({ products: [{ id: 1, name: "kept" }], total: 1 });
  });

  it("does not repair an external database, and keeps the marker for the embedded one", async () => {
    const engine = await startEngine(findEngines(process.env.PATH ?? ""), undefined, () => undefined);
    writeFileSync(join(directory, "run.begun"), "");
    const other = await start({ DYNAMODB_ENDPOINT: engine.endpoint });

    expect(other.run.output()).not.toContain(repairing);
    expect(await other.run.end("SIGTERM")).toBe(0);
    expect(existsSync(join(directory, "run.begun"))).toBe(true);
    await engine.stop();
  });

  it("repairs the data if a creation failed with a server error and the run was stopped", async () => {
    // No request gets an execution environment.
    const run = await runLocally({ dataDirectory: directory, limits: { queue: 0 }, log: () => undefined });
    const response = await fetch(`${run.url}/products`, { method: "POST" });
    await response.text();
    await run.close();

    expect(response.status).toBe(503);
    expect(existsSync(join(directory, "run.begun"))).toBe(true);
  });

  it.each([
    ["POST", 503, true],
    ["POST", 422, false],
    ["GET", 503, false],
  ])("repairs the data after a %s with %i: %s", async (method, statusCode, isKept) => {
    const ended = new Promise<string>(() => undefined);
    const engine = { name: "none", endpoint: "", ended, stop: async () => undefined };
    const marker = await recoverFromUncleanShutdown(directory, engine, [], async (run) => run());
    marker.checkResponse({ method, statusCode });
    await marker.remove();

    expect(existsSync(join(directory, "run.begun"))).toBe(isKept);
  });
});
