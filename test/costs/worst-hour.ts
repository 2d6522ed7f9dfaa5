import type { Template } from "aws-cdk-lib/assertions";
import { resourcesOf } from "../support/infra/templates.ts";
import { prices } from "./prices.ts";
import type { RouteCosts } from "./routes.ts";

/** AWS's default quota of concurrent executions of all functions of an account. */
export const CONCURRENCY = 1_000;

/** What one read unit returns at most: an eventually consistent read of 8 KB. */
const BYTES_PER_READ_UNIT = 8_192;
/** What one write unit stores, and a response can repeat. */
const BYTES_PER_WRITE_UNIT = 1_024;
/** The gateway takes requests of 10 MB, and bills each 512 KB. */
const BILLED_PER_REQUEST = 20;
/** An unknown key or signature makes an execution environment read a secret again, after half a minute (lib/auth/secrets.ts). */
const SECRET_READS_PER_HOUR = 120;

const HOUR = 3_600;
const MILLION = 1_000_000;

/**
 * The costs of an hour in dollars in which attackers reach every limit of a stage at once.
 *
 * @param logBytes the billed bytes of the log lines of a request
 * @param costs has the sizes of the responses without a database, of which the route counts that can send most
 */
export function worstHour(
  template: Template,
  logBytes: number,
  { rows, responseBytes }: Pick<RouteCosts, "rows" | "responseBytes">,
) {
  const of = (type: string) => resourcesOf(template, type).map(([, { Properties }]) => Properties);
  const [stage] = of("AWS::ApiGatewayV2::Stage");
  const rateOf = (key: string) =>
    (stage.RouteSettings[key] ?? stage.DefaultRouteSettings).ThrottlingRateLimit * HOUR;
  const requests = stage.DefaultRouteSettings.ThrottlingRateLimit * HOUR;
  const files = [...responseBytes].map(([name, [bytes = 0]]) =>
    rows.get(name)?.[0]?.units === 0 ? rateOf(name) * bytes : 0,
  );
  const throughputs = of("AWS::DynamoDB::Table").flatMap((table) =>
    [table, ...(table.GlobalSecondaryIndexes ?? [])].map(({ OnDemandThroughput }) => OnDemandThroughput),
  );
  const unitsOf = (name: string) => throughputs.reduce((sum, each) => sum + each[name] * HOUR, 0);
  const reads = unitsOf("MaxReadRequestUnits");
  const writes = unitsOf("MaxWriteRequestUnits");
  const memory = Math.max(...of("AWS::Lambda::Function").map(({ MemorySize }) => MemorySize)) / 1_024;
  const sent = reads * BYTES_PER_READ_UNIT + writes * BYTES_PER_WRITE_UNIT + Math.max(...files);
  const { perMillion, perGigabyte, gigabyteSecond } = prices;
  const costs = {
    requests:
      (requests / MILLION) * (perMillion.gatewayRequests * BILLED_PER_REQUEST + perMillion.invocations),
    logs: ((requests * logBytes) / 1e9) * (perGigabyte.logsIngested + perGigabyte.logsScanned),
    time: CONCURRENCY * HOUR * memory * gigabyteSecond,
    secrets:
      of("AWS::SecretsManager::Secret").length *
      ((CONCURRENCY * SECRET_READS_PER_HOUR) / MILLION) *
      perMillion.secretReads,
    reads: (reads / MILLION) * perMillion.readUnits,
    writes: (writes / MILLION) * perMillion.writeUnits,
    sent: (sent / 1e9) * perGigabyte.sent,
  };
  return { ...costs, total: Object.values(costs).reduce((sum, cost) => sum + cost, 0) };
}
