import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tableNames, tablesWithIds } from "../../../functions/definitions.ts";
import { SERVICE_NAME } from "../../../lib/construct-ids.ts";
import { IdAllocation } from "../../../lib/records/id-allocation.ts";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { accountKey } from "../../../lib/repositories/accounts/account-items.ts";
import { requiredPermissions } from "../../../local/aws/dynamodb-permissions.ts";
import { crashes, damages } from "../../support/database/crash.ts";
import { engines, fill, testClient } from "../../support/database/database.ts";
import { injectFaults } from "../../support/database/faults.ts";
import { stackTable } from "../../support/infra/stack-table.ts";
import { resourcesOf, templateOf } from "../../support/infra/templates.ts";

const template = await templateOf({ stage: "dev" });

/** What the role of the function allows: `dynamodb:Query items/index/names`. */
function grants(): string[] {
  const [, policy] =
    resourcesOf(template, "AWS::IAM::Policy").find(([id]) => id.startsWith("RepairRole")) ?? [];
  const statements: { Action: string | string[]; Resource: unknown }[] =
    policy?.Properties.PolicyDocument.Statement;
  return statements.flatMap(({ Action, Resource }) =>
    [Action].flat().flatMap((action) => [Resource].flat().map((arn) => `${action} ${nameOf(arn)}`)),
  );
}

/** The table or index that a resource of a policy refers to. */
function nameOf(arn: unknown): string {
  const [, table = "", index = ""] =
    /"(\w+)Table[0-9A-F]{8}","Arn"\](?:\},"(\/index\/[\w-]+))?/.exec(JSON.stringify(arn)) ?? [];
  return `${table.toLowerCase()}${index}`;
}

describe.each(engines)("the daily repair on $name", ({ endpoint }) => {
  const client = testClient(endpoint);
  const lines: Record<string, unknown>[] = [];
  let repairAndReport: typeof import("../../../functions/repair/repair.ts").repairAndReport;

  beforeEach(async () => {
    // Imported again, since the log reads its settings when its module is loaded.
    vi.resetModules();
    vi.stubEnv("AWS_LAMBDA_LOG_LEVEL", "INFO");
    vi.stubEnv("METRICS_NAMESPACE", `${SERVICE_NAME}/dev`);
    vi.stubEnv("SERVICE_NAME", "repair");
    ({ repairAndReport } = await import("../../../functions/repair/repair.ts"));
    lines.length = 0;
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, "write").mockImplementation((chunk) => {
        lines.push(JSON.parse(String(chunk)));
        return true;
      });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  /** Creates all tables, with an id of each that was allocated and not used. */
  async function createTables(): Promise<(area: string) => string> {
    const tables = tableNames.map(async (area) => [area, await stackTable(endpoint, area)] as const);
    const names = new Map(await Promise.all(tables));
    const tableOf = (area: string) => names.get(area) ?? "";
    for (const area of tablesWithIds) await new IdAllocation(client, tableOf(area)).allocate();
    return tableOf;
  }

  it("repairs what a crash left behind, and reports it and what is damaged once", async () => {
    const tableOf = await createTables();
    // Records of items and posts have two parts.
    const [damagedArea = ""] = tablesWithIds.filter((area) => area !== "items" && area !== "posts");
    await new IdAllocation(client, tableOf(damagedArea)).allocate();
    await fill(client, tableOf(damagedArea), [recordKey(2)]);
    const waits: number[] = [];
    const wait = async (milliseconds: number) => waits.push(milliseconds);
    await repairAndReport(client, tablesWithIds, tableOf, wait);
    await repairAndReport(client, tablesWithIds, tableOf, wait);

    const unmarked = { unmarked: 1, mismarked: 0, miscounted: 0, entries: 0, damagedRecords: 0, damaged: [] };
    const damaged = [expect.stringContaining("The stored record 2 is damaged: ")];
    const found = { ...unmarked, damagedRecords: 1, damaged };
    const Metrics = [{ Name: "damages", Unit: "Count" }];
    const CloudWatchMetrics = [{ Namespace: `${SERVICE_NAME}/dev`, Dimensions: [[]], Metrics }];
    expect(lines).toEqual([
      expect.objectContaining({
        level: "WARN",
        message: "repaired",
        tables: tablesWithIds.map((area) => ({ area, ...(area === damagedArea ? found : unmarked) })),
        completed: 0,
        damages: tablesWithIds.length + 1,
        service: "repair",
        _aws: expect.objectContaining({ CloudWatchMetrics }),
      }),
    ]);
    expect(waits).toEqual([60_000]);
  });

  it("needs exactly the permissions of its role", async () => {
    const tableOf = await createTables();
    for (const damage of [...crashes, ...damages]) await damage(client, tableOf, new Date(0));
    await fill(client, tableOf("accounts"), [accountKey("Older")]);
    const areas = new Map(tableNames.map((area) => [tableOf(area), area]));
    const needed = new Set<string>();
    // Of the modules that were imported again: they know which calls of theirs had no response.
    const recording = (await import("../../support/database/database.ts")).testClient(endpoint);
    // So that the outcome of each transaction has to be found out.
    injectFaults(recording, (operation, _, { TransactItems: items = [] }) =>
      operation === "TransactWriteItems" && !items.every(({ ConditionCheck }) => ConditionCheck)
        ? "lost"
        : undefined,
    );
    recording.middlewareStack.add(
      (next, { commandName = "" }) =>
        (args) => {
          const operation = commandName.replace(/Command$/, "");
          for (const { action, resource } of requiredPermissions(operation, args.input)) {
            const [, table = "", ...index] = resource.split("/");
            needed.add(`${action} ${[areas.get(table), ...index].join("/")}`);
          }
          return next(args);
        },
      { name: "permissions", step: "initialize", priority: "low" },
    );
    await repairAndReport(recording, tablesWithIds, tableOf, async () => undefined);

    const logs = grants().filter((grant) => grant.startsWith("logs:"));
    expect([...needed, ...logs].sort()).toEqual(grants().sort());
  });
});
