import type { Template } from "aws-cdk-lib/assertions";
import { gatewayFunctions, routesByArea } from "../../functions/definitions.ts";
import { trialOf } from "../../functions/trial-requests.ts";
import { ownRules } from "../../infra/access.ts";
import { REREAD_AFTER_MS } from "../../lib/auth/secrets.ts";
import type { RouteCosts } from "../../test/costs/routes.ts";
import { type FixedCosts, functionOf } from "./fixed-costs.ts";
import { billedBytes, EVENT_OVERHEAD } from "./log-bytes.ts";
import { keyOf, measurements } from "./measurements.ts";
import { prices, times } from "./prices.ts";
import { CONCURRENCY, worstHour } from "./worst-hour.ts";

const HOURS_PER_MONTH = 730;
const HOUR_MS = 3_600_000;
/** Of a million writes: at most those of the posts, which are the most expensive ones of a trial. */
const WRITE_DOLLARS = 10;

interface Measured {
  readonly costs: RouteCosts;
  readonly records: number;
  /** Writer → the bytes of each log line of a request. */
  readonly logs: ReadonlyMap<string, readonly number[]>;
  readonly fixedCosts: FixedCosts;
  readonly stages: { readonly dev: Template; readonly prod: Template };
}

/** The requests on the page, and the number of password hashes that each computes. */
const pricedRequests: Readonly<Record<string, number>> = Object.assign(
  {},
  ...Object.values(measurements).map((area) => area.priced),
);

/** The first request that reads one record and nothing else, on the page if there is one. */
export function cheapestRead({ rows, writeUnits }: RouteCosts): string {
  const isCheapest = (name: string) =>
    name.includes("{") && rows.get(name)?.[0]?.units === 1 && writeUnits.get(name) === 0;
  const name = [...Object.keys(pricedRequests), ...rows.keys()].find(isCheapest);
  if (name === undefined) throw new Error("No request reads one record");
  return name;
}

/**
 * Formats the service's costs in dollars as a page of the documentation.
 *
 * @returns Markdown
 */
export function pricesPage(measured: Measured): string {
  const { records, logs, fixedCosts } = measured;
  const { perMillion, gigabyteSecond, perGigabyte, perMonth } = prices;
  const lines = [...logs.values()].flat();
  const read = cheapestRead(measured.costs);
  const creation = read.replace(/^GET (.*)\/\{.*/, "POST $1");
  const rows = Object.entries({ [read]: 0, ...pricedRequests })
    .map(([name, hashes]) => priced(name, hashes, measured))
    .sort((a, b) => a.sum - b.sum);
  const sumOf = (name: string) => rows.find((row) => row.name === name)?.sum ?? Number.NaN;
  // A deletion takes as many units as a creation, and the other functions are called once in five minutes.
  const visit =
    sumOf("POST /auth/login") + 2 * priced(creation, 0, measured).sum + (1 + 11 / 5) * sumOf(read);
  const visits = (HOURS_PER_MONTH * 60 * visit) / 1_000_000;
  const time = fixedCosts.routeLabels * perMonth.metric;
  const others = fixedCosts.otherMetrics * perMonth.metric;
  const metrics = 3 * time + others;
  const { objectives, rollouts, others: otherAlarms } = fixedCosts.alarmMetrics;
  const alarmRow = (what: string, count: number) =>
    `| ${what} | ${count} metrics × ${dollars(perMonth.alarmMetric)} | ${dollars(count * perMonth.alarmMetric)} |`;
  const alarms = (objectives + rollouts + otherAlarms) * perMonth.alarmMetric;
  const idle = fixedCosts.secrets * perMonth.secret + perMonth.dashboard;
  const secretReads = ((HOURS_PER_MONTH * HOUR_MS) / REREAD_AFTER_MS / 1_000_000) * perMillion.secretReads;
  return `# What it costs in dollars

In ${prices.region}, with public prices as of ${prices.date}; they differ by region and change, so check
them. The free tier is not included. A test computes these figures and fails if they change; \`npm run generate\` writes this
page. Prices and assumptions are in \`bench/costs/prices.ts\`, capacity units are measured as in
[costs.md](costs.md), and resources are counted in the prod stack.

## Per million requests

| | price | per million requests |
|---|---|---|
| HTTP API | ${dollars(perMillion.gatewayRequests)} per million, of up to 512 KB each | ${dollars(perMillion.gatewayRequests)} |
| Lambda, arm64 | ${dollars(perMillion.invocations)} per million, and $${gigabyteSecond.toFixed(10)} per GB-second | ${dollars(perMillion.invocations)}, and $${(gigabyteSecond * 1_000).toFixed(4)} per millisecond and GB |
| logs | ${dollars(perGigabyte.logsIngested)} per GB, and ${dollars(perGigabyte.logsScanned)} to mask credentials | ${dollars(logsPerMillion(logs))} |
| DynamoDB on demand | $${perMillion.writeUnits} per million write units, $${perMillion.readUnits} per million read units | by route |
| responses to the internet | ${dollars(perGigabyte.sent)} per GB | ${dollars(perGigabyte.sent)} per kilobyte of a response; not in the sums below |

| Request | time × memory | units | Lambda's time | DynamoDB | total |
|---|---|---|---|---|---|
${rows.map(({ cells }) => `| ${cells.join(" | ")} |`).join("\n")}

For tables with ${records.toLocaleString("en")} records of each kind, which only matters for routes that read a whole table, and
small records unless a row says otherwise: larger ones cost more ([limits.md](limits.md#requests-a-second)). The times
were not measured on AWS. They assume ${times.own} ms for the function itself (less than 0.1 ms without the database in
[measurements.md](measurements.md); the rest is the SDK's), ${times.call} ms for each
sequential call to DynamoDB, and ${times.hash} ms for a password hash (measured there for accounts, rounded up). Cold starts and
computations over all records of a table come on top.

A request's logs are ${billedBytes(lines).toLocaleString("en")} bytes:

| Written by | bytes of each line |
|---|---|
${[...logs].map(([who, bytes]) => `| ${who} | ${bytes.join(", ")} |`).join("\n")}
| overhead of each of ${lines.length} lines in CloudWatch | ${EVENT_OVERHEAD} |

The function's line is measured; the access log line is its format filled with values.
Lambda itself writes a line only for a request that times out or crashes, since the functions' system log level is
\`WARN\` (\`infra/functions.ts\`).

## Every month

| | | |
|---|---|---|
| secrets | ${fixedCosts.secrets} × ${dollars(perMonth.secret)} | ${dollars(fixedCosts.secrets * perMonth.secret)} |
${alarmRow("alarms on [objectives](adr/0032-service-levels.md), in prod; without alarms: `alarms: false`", objectives)}
${alarmRow("other alarms, in prod", otherAlarms)}
${alarmRow('alarms that end [rollouts](adr/0018-rollouts.md), in prod; without: `rollout: "all-at-once"`', rollouts)}
| the visitor, in prod; without: \`visitor: false\` | ${Math.round(HOURS_PER_MONTH * 60).toLocaleString("en")} visits of ${(4 + 11 / 5).toFixed(1)} requests | ${dollars(visits)} |
| dashboard; without: \`dashboard: false\` | ${fixedCosts.dashboardMetrics} metrics; an account's first three are free, with up to 50 each | ${dollars(perMonth.dashboard)} |
| a [rollout](adr/0018-rollouts.md) of all functions | its trials and the visitor's requests | ${dollars(rolloutCosts(sumOf(read)))} |
| **together, without a request: dev** | secrets and dashboard | **${dollars(idle)}** |
| **together, without a request: prod** | also alarms and visitor | **${dollars(idle + alarms + visits)}** |
| reads of secrets | ${dollars(perMillion.secretReads / 100)} per 10,000; every 5 minutes in each execution environment that needs one | ${dollars(secretReads)} for one that is never idle |
| time by route | ${fixedCosts.routeLabels} metrics × ${dollars(perMonth.metric)} | at most ${dollars(time)} |
| client and server errors by route | 2 × ${fixedCosts.routeLabels} metrics × ${dollars(perMonth.metric)} | at most ${dollars(2 * time)} |
| cold starts and failures by function, counts in logs | ${fixedCosts.otherMetrics} metrics × ${dollars(perMonth.metric)} | at most ${dollars(others)} |
| data | ${dollars(perMonth.gigabyteOfData)} per GB, and in prod ${dollars(perMonth.gigabyteOfRecovery)} more for point-in-time recovery | |
| [backups](settings.md#deployment), none by default | ${dollars(perMonth.gigabyteOfBackup)} per GB of each one that is kept, and of each copy; the transfer of copies between regions, and restores, come on top | ${dollars(35 * perMonth.gigabyteOfBackup)} per GB of data with 35 |
| traces, none by default | ${dollars(perMillion.traces)} per million, of which X-Ray records one a second and 5 % of the others | ${dollars((perMillion.traces * HOURS_PER_MONTH * 3_600) / 1_000_000)} at most for one a second, and ${dollars(perMillion.traces / 20)} per million requests |
| stored logs, compressed | ${dollars(perMonth.gigabyteOfLogs)} per GB | |

CloudWatch bills per metric and hour with data: a route that nobody calls costs nothing, and an error metric costs only
in hours with errors. The metrics cost ${dollars(metrics)} at most, as much as ${Math.round(metrics / sumOf(read))} million requests for one record: with fewer
requests than that they can be the largest item. To pay less:

- Remove the dimension \`route\` in \`lib/log/log.ts\`: one metric of each kind per function costs at most
  ${dollars(3 * fixedCosts.memory.size * perMonth.metric + others)} instead of ${dollars(metrics)}. Remove it from the dashboard's searches (\`infra/monitoring/dashboard.ts\`) too.
- Remove \`METRICS_NAMESPACE\` from the functions' variables (\`infra/functions.ts\`): there are no metrics, and a request's
  line has half the bytes.

Either way the log lines have the route, status and duration of each request, and CloudWatch Logs Insights computes the
same figures on demand: \`stats count(*), pct(duration, 99) by route\`.

The rules for dashboards, alarms, secrets and the size of requests were checked on 2026-11-23 in copies of AWS's
pages: [CloudWatch](https://aws.amazon.com/cloudwatch/pricing/),
[Secrets Manager](https://aws.amazon.com/secrets-manager/pricing/) (of 2026-09-20), and
[HTTP APIs](https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html).

## The worst hour

What an attacker can make a stage cost who reaches every limit at once, for as long as nobody stops it:

| In an hour | dev | prod |
|---|---|---|
${worstHourRows(measured)}

These are upper limits: ${CONCURRENCY.toLocaleString("en")} execution environments, AWS's default quota, of the largest function; the maximum
throughput of all tables and global indexes; requests of 10 MB at the rate that the gateway accepts; and of each route the
longest responses at its limit, the longest ones first, until the stage's limit. A list has 6 MB; each read unit sends 8 KB of
control characters, which JSON writes in six bytes each; a record or its replay is the largest that was measured, of such
characters; an error lists at most a hundred fields. Responses cost less from 10 TB a month on.

If it is too much, lower \`requestsPerSecond\`, \`maxReadUnits\` and \`maxWriteUnits\` ([settings](settings.md#deployment)), and
let a firewall limit each address ([deployment](deployment.md#a-firewall-in-front)). A \`monthlyBudget\` alerts within a
day, and stops the functions if \`stopAtBudget\` is set too. A deployment with \`requestsPerSecond: 1\` stops almost everything within minutes.
`;
}

/** What the visitor sends to the canaries, one cycle of writes a second, and one read. */
function rolloutCosts(read: number): number {
  const writes = Object.keys(routesByArea).flatMap((area) =>
    trialOf(area, ownRules).cycles.map(({ leaves, requests }) => (leaves ? 33 : 330) * requests.length),
  );
  const reads = 330 * gatewayFunctions.length;
  return (WRITE_DOLLARS * writes.reduce((sum, each) => sum + each, 0) + read * reads) / 1_000_000;
}

function worstHourRows({ costs, logs, stages }: Measured): string {
  const logLines = billedBytes([...logs.values()].flat());
  const dev = worstHour(stages.dev, logLines, costs);
  const prod = worstHour(stages.prod, logLines, costs);
  const labels: readonly [keyof typeof dev, string][] = [
    ["requests", "requests"],
    ["logs", "logs"],
    ["time", "functions"],
    ["secrets", "secrets, read again"],
    ["reads", "database reads"],
    ["writes", "database writes"],
    ["sent", "responses to the internet"],
    ["total", "**together**"],
  ];
  return labels
    .map(([name, label]) => `| ${label} | ${dollars(dev[name])} | ${dollars(prod[name])} |`)
    .join("\n");
}

function priced(name: string, hashes: number, { costs, logs, fixedCosts }: Measured) {
  const usage = costs.rows.get(name)?.findLast((each) => each !== undefined);
  const writes = costs.writeUnits.get(name);
  const memory = fixedCosts.memory.get(functionOf(keyOf(name)));
  if (!usage || writes === undefined || memory === undefined) throw new Error(`${name} was not measured`);
  const reads = usage.units - writes;
  const milliseconds = times.own + usage.inSequence * times.call + hashes * times.hash;
  const { perMillion, gigabyteSecond } = prices;
  const time = ((milliseconds * memory) / 1_024) * 1_000 * gigabyteSecond;
  const database = reads * perMillion.readUnits + writes * perMillion.writeUnits;
  const always = perMillion.gatewayRequests + perMillion.invocations;
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
  const { logsIngested, logsScanned } = prices.perGigabyte;
  return (billedBytes([...logs.values()].flat()) * 1_000_000 * (logsIngested + logsScanned)) / 1e9;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
