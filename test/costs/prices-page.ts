import { EVENT_OVERHEAD } from "./log-bytes.ts";
import { type PricedRequest, pricedRequests, prices, TRACED, times } from "./prices.ts";
import type { RouteCosts } from "./routes.ts";
import { functionOf, type Standing } from "./standing.ts";

/** All that the page is made of. */
export interface Measured {
  readonly costs: RouteCosts;
  /** How many records of each kind there were. */
  readonly records: number;
  /** Who writes → the bytes of each line of a request's logs. */
  readonly logs: ReadonlyMap<string, readonly number[]>;
  readonly standing: Standing;
}

/**
 * Writes what the service costs, in dollars, as a page of the documentation.
 *
 * @returns Markdown
 */
export function pricesPage(measured: Measured): string {
  const { records, logs, standing } = measured;
  const { perMillion, gigabyteSecond, perGigabyte, perMonth } = prices;
  const lines = [...logs.values()].flat();
  const rows = pricedRequests.map((request) => priced(request, measured));
  const [read] = rows.filter(({ name }) => name === "GET /todos/{id}");
  const time = standing.routeLabels * perMonth.metric;
  const others = standing.otherMetrics * perMonth.metric;
  const metrics = 3 * time + others;
  return `# What it costs in dollars

In ${prices.region}, with public prices as of ${prices.date}; they differ by region and change, so check
them. Without the free tier. A test computes these figures and fails when they no longer hold; \`npm test -- -u\` writes
them anew. Prices and assumptions are in \`test/costs/prices.ts\`, units are measured as those in [costs.md](costs.md),
what is counted comes from the prod stack.

## Per million requests

| | price | per million requests |
|---|---|---|
| HTTP API | ${dollars(perMillion.gatewayRequests)} per million, of up to 512 KB each | ${dollars(perMillion.gatewayRequests)} |
| Lambda, arm64 | ${dollars(perMillion.invocations)} per million, and $${gigabyteSecond.toFixed(10)} per GB-second | ${dollars(perMillion.invocations)}, and $${(gigabyteSecond * 1_000).toFixed(4)} per millisecond and GB |
| logs | ${dollars(perGigabyte.logsIngested)} per GB | ${dollars(logsPerMillion(logs))} |
| traces | ${dollars(perMillion.traces)} per million; one in ${1 / TRACED} requests is traced, and the first of each second | ${dollars(perMillion.traces * TRACED)} |
| DynamoDB on demand | $${perMillion.writeUnits} per million write units, $${perMillion.readUnits} per million read units | by route |
| answers to the internet | ${dollars(perGigabyte.sent)} per GB | ${dollars(perGigabyte.sent)} per kilobyte of an answer; not in the sums below |

| Request | time × memory | units | Lambda's time | DynamoDB | all together |
|---|---|---|---|---|---|
${rows.map(({ cells }) => `| ${cells.join(" | ")} |`).join("\n")}

For tables with ${records.toLocaleString("en")} records of each kind; only what reads a whole table depends on that. The times are
no measurements on AWS: ${times.own} ms for the function itself (a second request takes 4 to 6 ms in
[measurements.md](measurements.md), "Second ms", with its call to a database on the same machine), ${times.call} ms for each call to
DynamoDB of those in sequence, and ${times.hash} ms for a password's hash (there, accounts, rounded up). What a function computes
over all records of a table, and cold starts, come on top.

A request's logs are ${total(lines).toLocaleString("en")} bytes:

| Who writes | bytes of each line |
|---|---|
${[...logs].map(([who, bytes]) => `| ${who} | ${bytes.join(", ")} |`).join("\n")}
| each of ${lines.length} lines, as CloudWatch counts it | ${EVENT_OVERHEAD} |

The function's lines are measured, with the length of names as on AWS; the access log is its format with values put
in; Lambda's lines are assumed (start, end and report as text, of a request that is not traced).

## Every month

| | | |
|---|---|---|
| secrets | ${standing.secrets} × ${dollars(perMonth.secret)} | ${dollars(standing.secrets * perMonth.secret)} |
| alarms, in prod | ${standing.alarmMetrics} metrics × ${dollars(perMonth.alarmMetric)} | ${dollars(standing.alarmMetrics * perMonth.alarmMetric)} |
| dashboard | from the fourth of an account on | ${dollars(perMonth.dashboard)} |
| time by route | ${standing.routeLabels} metrics × ${dollars(perMonth.metric)} | at most ${dollars(time)} |
| client and server errors by route | 2 × ${standing.routeLabels} metrics × ${dollars(perMonth.metric)} | at most ${dollars(2 * time)} |
| cold starts by function, counts in logs | ${standing.otherMetrics} metrics × ${dollars(perMonth.metric)} | at most ${dollars(others)} |
| data | ${dollars(perMonth.gigabyteOfData)} per GB, and in prod ${dollars(perMonth.gigabyteOfRecovery)} more for its recovery | |
| logs that are kept, compressed | ${dollars(perMonth.gigabyteOfLogs)} per GB | |

A metric is paid for by the hours in which it has a value: a route that nobody calls costs nothing, and errors cost in
the hours that have some. The metrics are ${dollars(metrics)} at most, which is what ${Math.round(metrics / (read?.sum ?? Number.NaN))} million requests for a todo cost: with fewer
requests than that they can be the largest item. To pay less:

- Without the dimension \`route\` in \`lib/http/log.ts\` there is one metric of each kind per function: at most
  ${dollars(3 * standing.memory.size * perMonth.metric + others)} instead of ${dollars(metrics)}. The dashboard's searches (\`infra/monitoring/dashboard.ts\`) then go without it too.
- With \`POWERTOOLS_METRICS_DISABLED=true\` among the functions' variables (\`infra/functions.ts\`) there are none, and a
  request's logs are shorter by a line.

Either way the log lines have route, status and duration of each request. CloudWatch Logs Insights makes the same
figures of them when they are wanted: \`stats count(*), pct(duration, 99) by route\`.
`;
}

function priced({ name, hashes }: PricedRequest, { costs, logs, standing }: Measured) {
  const usage = costs.rows.get(name)?.at(-1);
  const writes = costs.writeUnits.get(name);
  const memory = standing.memory.get(functionOf(name.replace(/, .*/, "")));
  if (!usage || writes === undefined || memory === undefined) throw new Error(`${name} was not measured`);
  const reads = usage.units - writes;
  const milliseconds = times.own + usage.inSequence * times.call + (hashes ? times.hash : 0);
  const { perMillion, gigabyteSecond } = prices;
  const time = ((milliseconds * memory) / 1_024) * 1_000 * gigabyteSecond;
  const database = reads * perMillion.readUnits + writes * perMillion.writeUnits;
  const always = perMillion.gatewayRequests + perMillion.invocations + perMillion.traces * TRACED;
  const sum = always + logsPerMillion(logs) + time + database;
  const [key, ...details] = name.split(", ");
  const units = [reads > 0 && `${reads.toLocaleString("en")} read`, writes > 0 && `${writes} write`];
  const cells = [
    [`\`${key}\``, ...details].join(", "),
    `${milliseconds} ms × ${(memory / 1_024).toFixed(2).replace(".00", "")} GB`,
    units.filter(Boolean).join(", ") || "none",
    dollars(time),
    dollars(database),
    `**${dollars(sum)}**`,
  ];
  return { name, sum, cells };
}

function logsPerMillion(logs: Measured["logs"]): number {
  return (total([...logs.values()].flat()) * 1_000_000 * prices.perGigabyte.logsIngested) / 1e9;
}

/** The bytes of some lines as they are charged for. */
function total(lines: readonly number[]): number {
  return lines.reduce((sum, bytes) => sum + bytes + EVENT_OVERHEAD, 0);
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
