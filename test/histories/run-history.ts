import { type DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { tablesWithIds } from "../../functions/definitions.ts";
import { repair } from "../../functions/repair/repair.ts";
import { operationsOn } from "../../lib/records/exactly-once.ts";
import { COUNTER_KEY } from "../../lib/records/id-allocation.ts";
import type { EngineAddress } from "../../local/database/dynamodb-call.ts";
import { withTables } from "../../local/database/seed.ts";
import type { TableModel } from "../../local/stack/model.ts";
import { overHttp } from "../support/api/client.ts";
import { type FaultyEngine, faultyEngine } from "../support/database/faulty-engine.ts";
import { runInMemory } from "../support/programs/run.ts";
import { checkHistory } from "./check.ts";
import { ServiceClient } from "./client.ts";
import { faultPlan } from "./fault-plan.ts";
import { readState } from "./state.ts";
import { Workload, type WorkloadOptions } from "./workload.ts";
import { WriteUnits } from "./write-units.ts";

/** Reservations count as abandoned at once: nothing is in progress any more. */
const ABANDONED_AFTER_MS = -60_000;
/** Of the workload's small records, counters and products with operations. */
const MAX_UPDATE_UNITS = 1;

interface HistoryResult {
  readonly violations: readonly string[];
  readonly requests: number;
  readonly unknown: number;
  readonly faults: number;
  /** Writes of a partition key beyond its units. */
  readonly throttled: number;
  /** By table: the most units of an update of one item. */
  readonly largestUpdates: Readonly<Record<string, number>>;
}

/**
 * Runs the stack over HTTP with a proxy between its functions and the database that lets calls fail, lets many clients
 * use it, repairs as the daily repair does, and checks what the clients experienced.
 *
 * @param sabotage changes the calls of the functions: a mistake that the check must find
 */
export async function runHistory(
  options: WorkloadOptions,
  sabotage?: FaultyEngine["rewrite"],
  faultDensity?: number,
): Promise<HistoryResult> {
  await using cleanup = new AsyncDisposableStack();
  const proxy = cleanup.adopt(await faultyEngine(""), (it) => it.close());
  const awsProxy = (awsUrl: string) => {
    proxy.endpoint = awsUrl;
    return proxy.url;
  };
  const run = cleanup.adopt(
    await runInMemory({
      awsProxy,
      environment: { AWS_LAMBDA_LOG_LEVEL: "FATAL" },
      withCatalog: false,
      // Two requests of one function can conflict.
      limits: { environments: 2 },
    }),
    (it) => it.close(),
  );
  const client = new ServiceClient(overHttp(run.url));
  const service = { client, proxy, engine: run.engine, tables: run.model().tables };
  return await playHistory(service, options, { sabotage, faultDensity });
}

interface Service {
  readonly client: ServiceClient;
  readonly proxy: FaultyEngine;
  readonly engine: EngineAddress;
  readonly tables: readonly TableModel[];
  /** Each reads everything at the end; by default the client. */
  readonly readers?: readonly ServiceClient[];
}

/** @see runHistory */
export async function playHistory(
  { client, proxy, engine, tables, readers = [client] }: Service,
  options: WorkloadOptions,
  { sabotage, faultDensity }: { sabotage?: FaultyEngine["rewrite"]; faultDensity?: number | undefined } = {},
): Promise<HistoryResult> {
  const workload = new Workload(client, options);
  await workload.prepare();

  const plan = faultPlan(options.seed, faultDensity);
  let faults = 0;
  const units = new WriteUnits();
  proxy.rewrite = (call) => units.asking(sabotage?.(call) ?? call.body);
  proxy.observe = (call, response) => units.count(call, response);
  proxy.plan = (call) => {
    const fault = units.isThrottled(call) ? "throttled" : plan(call);
    if (fault) faults += 1;
    return fault;
  };
  const history = await workload.run();
  proxy.plan = () => undefined;
  proxy.rewrite = undefined;
  proxy.observe = undefined;
  await proxy.idle();

  const repaired = await withTables(engine, tables, (database, findTable) =>
    repair(database, tablesWithIds, findTable, {
      wait: async () => undefined,
      abandonedAfterMs: ABANDONED_AFTER_MS,
    }),
  );
  const left = await withTables(engine, tables, leftOver);
  const found: string[] = [];
  for (const reader of readers)
    found.push(...checkHistory(history, await readState(reader, history, repaired)));
  const dear = [...units.largest].flatMap(([table, largest]) =>
    largest > MAX_UPDATE_UNITS ? [`${table}: an update took ${largest} units`] : [],
  );
  return {
    violations: [...client.violations, ...found, ...left, ...dear],
    requests: workload.requests,
    unknown: history.operations.filter(({ outcome }) => outcome === "unknown").length,
    faults,
    throttled: units.throttled,
    largestUpdates: Object.fromEntries(units.largest),
  };
}

/** What orders have left behind although none is in progress any more. */
async function leftOver(
  database: DynamoDBDocumentClient,
  findTable: (name: string) => string | undefined,
): Promise<string[]> {
  const scan = async (name: string) => {
    const TableName = findTable(name);
    return TableName === undefined ? [] : ((await database.send(new ScanCommand({ TableName }))).Items ?? []);
  };
  const products = (await scan("products")).filter(({ pk }) => pk !== COUNTER_KEY.pk);
  const reservations = (await scan("orders")).filter(({ pk }) => String(pk).startsWith("reserved"));
  return [
    ...products.flatMap((item) => operationsOn(item).map((name) => `products: ${item.sk} has ${name}`)),
    ...reservations.map(({ sk }) => `orders: the reservation ${sk} is left`),
  ];
}
