import { existsSync, readFileSync } from "node:fs";
import type { Stage } from "../../infra/settings/stages.ts";
import { MAX_BYTES, MAX_BYTES_OF_PART } from "../../lib/domain/read-budget.ts";
import { isFullRead, type RouteCosts } from "../../test/costs/routes.ts";
import { type Ceiling, ceilingOf, KEY_LIMITS } from "./ceilings.ts";
import { gatewayLimit, unitsByTable } from "./route-limits.ts";

/** Of a service with the areas that they are simulated on. */
const attacks = new URL("../victims.md", import.meta.url);

/** What a read unit pays for. */
const READ_UNIT_BYTES = 4_096;

/** The ceilings of all requests that use the database, the lowest first. */
export function ceilings({ byKey }: RouteCosts): Ceiling[] {
  return [...byKey]
    .flatMap(([request, units]) => ceilingOf(request, units) ?? [])
    .sort((a, b) => a.perSecond - b.perSecond);
}

const TRANSACTION_MS = 15;

/** What limits how often a request can be sent in a second. */
interface Limit {
  readonly perSecond: number;
  readonly by: string;
}

/** The limits of a request, the lowest first: those of the design, and of a stage's settings. */
function limitsOf(costs: RouteCosts, request: string, stage: Stage) {
  const byKey = costs.byKey.get(request) ?? new Map();
  const ceiling = ceilingOf(request, byKey);
  const name = ceiling?.hottest.name.replace(/#\d+$/, "#*");
  const key = ceiling && {
    perSecond: ceiling.perSecond,
    by: `${name?.includes("/index/") ? "index" : "key"} \`${name}\``,
  };
  const transaction = { perSecond: 1_000 / TRANSACTION_MS, by: "transactions of one item" };
  const tables = [...unitsByTable(byKey)].map(([table, { read, write }]) => ({
    perSecond: Math.min(stage.maxReadUnits / read, stage.maxWriteUnits / write),
    by: `throughput of \`${table}\``,
  }));
  const gateway = gatewayLimit(stage, request);
  const own = gateway < stage.requestsPerSecond ? "the route's limit" : "the stage's limit";
  const design = [...(key ? [key] : []), ...(costs.transacting.has(request) ? [transaction] : [])];
  const sort = (limits: Limit[]) => limits.sort((a, b) => a.perSecond - b.perSecond);
  return { design: sort(design), all: sort([...design, { perSecond: gateway, by: own }, ...tables]) };
}

/**
 * Formats the service's limits as a page of the documentation.
 *
 * @param records of each kind in the tables that were measured
 * @returns Markdown
 */
export function limitsPage(costs: RouteCosts, records: number, stage: Stage): string {
  const unitsOf = (request: string) =>
    costs.rows.get(request)?.findLast((usage) => usage !== undefined)?.units ?? 0;
  const count = (value: number) => (value < 10 ? round(value) : Math.floor(value)).toLocaleString("en");
  const all = [...costs.rows.keys()]
    .map((request) => ({ request, ...limitsOf(costs, request, stage) }))
    .sort((a, b) => (a.all[0]?.perSecond ?? 0) - (b.all[0]?.perSecond ?? 0));
  const textOf = ([limit]: readonly Limit[]) => (limit ? `${count(limit.perSecond)} | ${limit.by}` : "| ");
  const rows = all
    .filter(({ request }) => !isFullRead(costs, request))
    .map(({ request, all, design }) => `| ${request} | ${textOf(all)} | ${textOf(design)} |`);
  const fullReads = all
    .filter(({ request }) => isFullRead(costs, request))
    .map(({ request, all }) => {
      const bytes = (unitsOf(request) * READ_UNIT_BYTES) / records;
      return `| ${request} | ${count(bytes)} | ${count(MAX_BYTES_OF_PART / bytes)} | ${count(MAX_BYTES / bytes)} | ${textOf(all)} |`;
    });
  return `# Limits

What holds in prod with its default [settings](settings.md#what-differs-between-the-stages), from measured requests. A test
computes this page and fails if it changes; \`npm run generate\` writes it. [Scaling](scaling.md) says what to do at each wall.

| Limit | of | How high |
|---|---|---|
| key | a partition key of DynamoDB, whatever the number of servers | ${KEY_LIMITS.write.toLocaleString("en")} write units and ${KEY_LIMITS.read.toLocaleString("en")} read units |
| index | the same, as if all records had the same value of its attribute | the same |
| transactions of one item | those that change or check an item others need too cancel each other, and are repeated for a second or two, then 503 | ${Math.floor(1_000 / TRANSACTION_MS)}, if each holds it for ${TRANSACTION_MS} ms ([ADR 7](adr/0007-orders-only-go-forward.md)) |
| throughput | a table or index, as \`maxWriteUnits\` and \`maxReadUnits\` of the stage say | ${stage.maxWriteUnits.toLocaleString("en")} write units and ${stage.maxReadUnits.toLocaleString("en")} read units |
| the route's limit | all clients together, at the gateway ([deployment](deployment.md#limits)) | from the throughput, or fixed |
| the stage's limit | all routes and clients together, \`requestsPerSecond\` | ${stage.requestsPerSecond.toLocaleString("en")} |

Those of the AWS account come on top: 1,000 concurrent executions of functions and 10,000 requests a second by default.

## Requests a second

With ${count(records)} records of each kind. Creations are of different records; all other requests are for the same record, which
is the worst case. The last two columns leave out the stage's settings: they are the walls of the design. A wall is shared by
all records behind it: those of a small table have one key, and deletions of the same ${count(16_000)} ids one number.

Records are small unless a row says otherwise, and have characters of one byte. Larger ones take more: these are no upper
bounds${costs.rows.has("POST /posts") ? " (a post with characters of four bytes and 20 tags takes 828 units to create, and 51 to read)" : ""}. What large requests
take of a table is limited by units as well, and gets 429 beyond ([ADR 28](adr/0028-admission.md)).

| Request | a second | limited by | by design | by |
|---|---|---|---|---|
${rows.join("\n")}

## Requests that read everything

They read until their budget is spent: ${MAX_BYTES_OF_PART / 1_024 / 1_024} MB for each part of a list, which \`Link\` continues, and ${MAX_BYTES / 1_024 / 1_024} MB for what has to
be whole, such as sorted lists and statistics, which respond 503 beyond it ([ADR 19](adr/0019-read-budgets.md)). All
requests that read many records of a table share 65 % of its units, and get 429 beyond ([ADR 28](adr/0028-admission.md)).
[growth.md](growth.md) shows their calls, CPU time and memory with up to a million records.

| Request | bytes per record | records in a part | records in a whole | a second, with ${count(records)} records | limited by |
|---|---|---|---|---|---|
${fullReads.join("\n")}
${existsSync(attacks) ? `\n${readFileSync(attacks, "utf8")}` : ""}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
