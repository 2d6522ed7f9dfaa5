import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { tablesWithIds } from "../../functions/definitions.ts";
import { IdAllocation } from "../../lib/records/id-allocation.ts";
import { createOperator } from "../../local/aws/operator.ts";
import { withTables } from "../../local/database/seed.ts";
import { anHourAgo, crashes, damages } from "../support/database/crash.ts";
import { findUnusedGrants } from "../support/infra/unused-grants.ts";
import { type CommandName, runWithOperator } from "../support/programs/operator.ts";

const service = await runWithOperator({ withCatalog: false });
afterAll(() => service.end());

/** Creates what a crash leaves behind: allocated ids without records, and what else areas repair. */
async function simulateDamage(): Promise<void> {
  const { engine, model } = service.run;
  await withTables(engine, model().tables, async (client, findTable) => {
    const tableOf = (area: string) => findTable(area) ?? "";
    for (const area of tablesWithIds) await new IdAllocation(client, tableOf(area)).allocate();
    for (const damage of [...crashes, ...damages]) await damage(client, tableOf, anHourAgo());
  });
}

it("the operator's policy allows what the commands need and nothing else", async () => {
  const password = "Analytical engine 1";
  const account = ["--username", "ada", "--email", "ada@example.com"];
  const backup = join(service.directory, "backup");
  const operate = async (name: CommandName, args: string[], input?: string) => {
    const { code, output, errors } = await service.operateHere(name, args, input);
    expect(code, name + errors).toBe(0);
    return output.trim();
  };
  await operate("export", [backup]);
  await operate("import", [backup]);
  await operate("seed", []);
  for (const role of ["admin", "user"]) await operate("account", [...account, "--role", role], password);
  const key = await operate("key", ["add"]);
  await operate("key", ["list"]);
  await operate("key", ["revoke", key]);
  await operate("rotate", []);
  await operate("rotate", ["--prune"]);
  await simulateDamage();
  const repaired = RegExp(`1 marked as deleted.*abandoned: ${crashes.length} completed`, "s");
  expect(await operate("repair", ["--wait", "0"])).toMatch(repaired);

  const { logicalId, statements } = createOperator(service.run.model());
  const used = service.run.credentials.usedPermissions(logicalId);
  // The third one is for jobs, of which only areas of one's own have some.
  const services = statements.map(({ actions: [action = ""] }) => action.split(":")[0]);
  expect(services).toEqual(["dynamodb", "lambda", "secretsmanager"]);
  for (const each of ["dynamodb", "secretsmanager"])
    expect(findUnusedGrants(statements, used, each)).toEqual([]);
});
