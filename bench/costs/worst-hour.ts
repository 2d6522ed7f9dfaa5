import type { Template } from "aws-cdk-lib/assertions";
import { allRoutes } from "../../functions/definitions.ts";
import { paginationOf } from "../../lib/http/pagination.ts";
import { MAX_PAYLOAD_BYTES } from "../../lib/http/response.ts";
import type { RouteCosts } from "../../test/costs/routes.ts";
import { resourcesOf } from "../../test/support/infra/templates.ts";
import { keyOf } from "./measurements.ts";
import { prices } from "./prices.ts";

/** AWS's default quota of concurrent executions of all functions of an account. */
const CONCURRENCY = 1_000;

/** A control character is one byte in a table and in a measured text, and six in JSON: `\u0000`. */
const BYTES_PER_CHARACTER = 6;
/** What one read unit sends at most: an eventually consistent read of 8 KB of such characters. */
const BYTES_PER_READ_UNIT = 8_192 * BYTES_PER_CHARACTER;
/** The longest error: a hundred invalid fields, or a path of 10,240 bytes. */
const ERROR_BYTES = 20_000;
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
 * @param costs has the sizes of the responses
 */
export function worstHour(
  template: Template,
  logBytes: number,
  { rows, responseBytes }: Pick<RouteCosts, "rows" | "responseBytes">,
) {
  const of = (type: string) => resourcesOf(template, type).map(([, { Properties }]) => Properties);
  const [stage] = of("AWS::ApiGatewayV2::Stage");
  const rateOf = (key: string) =>
    (stage.RouteSettings[key.replace(/(?<=.)\/$/, "")] ?? stage.DefaultRouteSettings).ThrottlingRateLimit *
    HOUR;
  const requests = stage.DefaultRouteSettings.ThrottlingRateLimit * HOUR;
  const throughputs = of("AWS::DynamoDB::Table").flatMap((table) =>
    [table, ...(table.GlobalSecondaryIndexes ?? [])].map(({ OnDemandThroughput }) => OnDemandThroughput),
  );
  const unitsOf = (name: string) => throughputs.reduce((sum, each) => sum + each[name] * HOUR, 0);
  const reads = unitsOf("MaxReadRequestUnits");
  const readsOfTable = throughputs[0].MaxReadRequestUnits * HOUR;
  const writes = unitsOf("MaxWriteRequestUnits");
  const memory = Math.max(...of("AWS::Lambda::Function").map(({ MemorySize }) => MemorySize)) / 1_024;
  const responses = allRoutes.map((route) => {
    const { byCursor, byPage } = paginationOf(route);
    if (byCursor || byPage)
      return {
        bytes: MAX_PAYLOAD_BYTES,
        most: (readsOfTable * BYTES_PER_READ_UNIT) / MAX_PAYLOAD_BYTES,
        route,
      };
    const named = [...responseBytes].filter(([name]) => keyOf(name) === route.key);
    const measured = Math.max(...named.flatMap(([, sizes]) => sizes));
    const isFile = rows.get(route.key)?.[0]?.units === 0;
    const bytes = isFile ? measured : Math.max(measured * BYTES_PER_CHARACTER, ERROR_BYTES);
    return { bytes, most: requests, route };
  });
  let left = requests;
  let sent = 0;
  for (const { bytes, most, route } of responses.sort((a, b) => b.bytes - a.bytes)) {
    const count = Math.min(left, most, rateOf(route.key));
    left -= count;
    sent += count * bytes;
  }
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
