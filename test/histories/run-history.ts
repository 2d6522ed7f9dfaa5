import type { EngineAddress } from "../../local/database/dynamodb-call.ts";
import { withTables } from "../../local/database/seed.ts";
import type { TableModel } from "../../local/stack/model.ts";
import { overHttp } from "../support/api/client.ts";
import { type FaultyEngine, faultyEngine } from "../support/database/faulty-engine.ts";
import { runInMemory } from "../support/programs/run.ts";
import { checkHistory } from "./check.ts";
import { ServiceClient } from "./client.ts";
import { faultPlan } from "./fault-plan.ts";
import { LostIds } from "./lost-ids.ts";
import { Operator } from "./operator.ts";
import { readState } from "./state.ts";
import { readStored } from "./stored-state.ts";
import { Workload, type WorkloadOptions } from "./workload.ts";
import { WriteUnits } from "./write-units.ts";

/**
 * Runs the stack over HTTP with faults between its functions and the database, many clients, operators and repairs.
 * @param sabotage changes the calls of the functions: a mistake that the check must find
 */
export async function runHistory(
  options: WorkloadOptions,
  sabotage?: FaultyEngine["rewrite"],
  faultDensity?: number,
) {
  await using cleanup = new AsyncDisposableStack();
  const proxy = cleanup.adopt(await faultyEngine(""), (it) => it.close());
  const started = await runInMemory({
    awsProxy(awsUrl) {
      proxy.endpoint = awsUrl;
      return proxy.url;
    },
    environment: { AWS_LAMBDA_LOG_LEVEL: "FATAL" },
    withCatalog: false,
    // Two requests of one function can conflict.
    limits: { environments: 2 },
  });
  const run = cleanup.adopt(started, (it) => it.close());
  const client = new ServiceClient(overHttp(run.url));
  const service = { client, proxy, engine: run.engine, tables: run.model().tables };
  return await playHistory(service, options, sabotage, faultDensity);
}

interface Service {
  readonly client: ServiceClient;
  readonly proxy: FaultyEngine;
  readonly engine: EngineAddress;
  readonly tables: readonly TableModel[];
  /** Each reads everything at the end; by default the client. */
  readonly readers?: readonly ServiceClient[];
}

export async function playHistory(
  { client, proxy, engine, tables, readers = [client] }: Service,
  options: WorkloadOptions,
  sabotage?: FaultyEngine["rewrite"],
  faultDensity?: number,
) {
  await using cleanup = new AsyncDisposableStack();
  // Operators have rights that no function has.
  const operatorProxy = cleanup.adopt(await faultyEngine(engine.endpoint), (it) => it.close());
  return await withTables({ endpoint: operatorProxy.url }, tables, async (database, findTable) => {
    const operator = new Operator(database, findTable);
    const workload = new Workload(client, operator, options);
    await workload.prepare();
    const plan = faultPlan(options.seed, faultDensity);
    let faults = 0;
    const units = new WriteUnits();
    const lostIds = new LostIds(findTable);
    const faulty: Pick<FaultyEngine, "plan" | "rewrite" | "observe"> = {
      rewrite: (call) => units.asking(sabotage?.(call) ?? call.body),
      observe: (call, response) => units.count(call, response),
      plan(call) {
        const fault = units.isThrottled(call) ? "throttled" : plan(call);
        if (fault) faults += 1;
        if (fault) lostIds.count(call, fault);
        return fault;
      },
    };
    for (const each of [proxy, operatorProxy]) Object.assign(each, faulty);
    const history = { ...(await workload.run()), lostIds: lostIds.byArea };
    for (const each of [proxy, operatorProxy]) {
      Object.assign(each, { plan: () => undefined, rewrite: undefined, observe: undefined });
      await each.idle();
    }
    await operator.repair(async () => undefined);
    const stored = await readStored(database, findTable);
    const found: string[] = [];
    for (const reader of readers)
      found.push(...checkHistory(history, await readState(reader, history, operator.repairs, stored)));
    return {
      violations: [...client.violations, ...found],
      requests: workload.requests,
      unknown: history.operations.filter(({ outcome }) => outcome === "unknown").length,
      faults,
      throttled: units.throttled,
      repairs: operator.repairs.length,
      erasures: history.erasures.filter(({ outcome }) => outcome === "done").length,
    };
  });
}
