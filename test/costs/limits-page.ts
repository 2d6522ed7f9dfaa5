import { MAX_BYTES, MAX_BYTES_OF_PART } from "../../lib/domain/read-budget.ts";
import { type Ceiling, ceilingOf, KEY_LIMITS } from "./ceilings.ts";
import { isFullRead, type RouteCosts } from "./routes.ts";

/** What a read unit pays for. */
const READ_UNIT_BYTES = 4_096;

/** The ceilings of all requests that use the database, the lowest first. */
export function ceilings({ byKey }: RouteCosts): Ceiling[] {
  return [...byKey]
    .flatMap(([request, units]) => ceilingOf(request, units) ?? [])
    .sort((a, b) => a.perSecond - b.perSecond);
}

/**
 * Formats the service's limits as a page of the documentation.
 *
 * @param records of each kind in the tables that were measured
 * @returns Markdown
 */
export function limitsPage(costs: RouteCosts, records: number): string {
  const unitsOf = (request: string) =>
    costs.rows.get(request)?.findLast((usage) => usage !== undefined)?.units ?? 0;
  const count = (value: number) => Math.floor(value).toLocaleString("en");
  const all = ceilings(costs);
  const rows = all
    .filter(({ request }) => !isFullRead(costs, request))
    .map(
      ({ request, hottest, perSecond }) =>
        `| ${request} | ${count(perSecond)} | \`${hottest.name.replace(/#\d+$/, "#*")}\` | ${units(hottest)} |`,
    );
  const fullReads = all
    .filter(({ request }) => isFullRead(costs, request))
    .map(({ request, perSecond }) => {
      const bytes = (unitsOf(request) * READ_UNIT_BYTES) / records;
      return `| ${request} | ${count(bytes)} | ${count(MAX_BYTES_OF_PART / bytes)} | ${count(MAX_BYTES / bytes)} | ${count(perSecond)} |`;
    });
  return `# Limits

A partition key of DynamoDB takes ${KEY_LIMITS.write.toLocaleString("en")} write units and ${KEY_LIMITS.read.toLocaleString("en")} read units a second. More servers do not change that, so
the key that most requests share limits a route. A test computes this page from measured requests and fails if it
changes; \`npm run generate\` writes it. Limits of a deployment's stage and of its account come on top
([settings.md](settings.md), [operations.md](operations.md)).

## Requests a second

With ${count(records)} records of each kind. Creations are of different records; all other requests are for the same record, which
is the worst case. The size of a new record changes little: a long text has a key of its own
([ADR 21](adr/0021-own-keys-for-long-texts.md)). An index counts as one key, as if all records had the same value of its attribute.

| Request | a second | Key that limits it | Its units per request |
|---|---|---|---|
${rows.join("\n")}

Deletions have a lower limit than that: those of the same ${count(16_000)} ids update the same number in a transaction, and
transactions on one item fail if they overlap. They are retried, and get 503 if that fails for about two seconds. The same
holds for orders of several products that share one: at 15 ms for a transaction they are at most 66 a second. Orders of a single
product do not fight ([ADR 7](adr/0007-order-ids.md)); \`npm run bench:orders\` simulates both.

## Requests that read everything

They read until their budget is spent: ${MAX_BYTES_OF_PART / 1_024 / 1_024} MB for each part of a list, which \`Link\` continues, and ${MAX_BYTES / 1_024 / 1_024} MB for what has to
be whole, such as sorted lists and statistics, which respond 503 beyond it ([ADR 19](adr/0019-read-budgets.md)).
[growth.md](growth.md) shows their calls, CPU time and memory with up to a million records.

| Request | bytes per record | records in a part | records in a whole | a second, with ${count(records)} records |
|---|---|---|---|---|
${fullReads.join("\n")}

## Beyond

**More than ${count(KEY_LIMITS.write / 2)} creations a second of one kind.** The counter makes ids 1, 2, 3, …, and it is one item; new records share
the key of their block. Both follow from dense ids. If you can give these up, allocate ids in parallel: several counters,
each for the ids of one remainder, and as many newest blocks. Ids then have gaps and are not in the order of creation;
totals are the sum of the counters, and pages by number need all of them. Random ids (UUIDs) need no counter, and have
neither totals nor pages by number, only cursors.

**More reads of one record.** A popular record, or one whose views are counted in it: cache responses by their \`ETag\` in
front of the API, and count views in several items per record that are added up when it is read.

**More than one part for a search, or sorts of more records than a budget.** Stream the tables to a search engine
(DynamoDB Streams or a zero-ETL integration with OpenSearch) and let it serve search, sorted lists and statistics. Its
results lag behind by about a second. Everything else stays here.
`;
}

function units({ read, write, partitions }: Ceiling["hottest"]): string {
  const each = [
    ...(write > 0 ? [`${round(write)} write`] : []),
    ...(read > 0 ? [`${round(read)} read`] : []),
  ];
  return each.join(", ") + (partitions > 1 ? `, spread over ${partitions} keys` : "");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
