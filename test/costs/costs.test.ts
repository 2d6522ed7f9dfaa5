import { expect, it } from "vitest";
import { callsPage } from "../../bench/costs/calls-page.ts";
import { fixedCosts } from "../../bench/costs/fixed-costs.ts";
import { ceilings, limitsPage } from "../../bench/costs/limits-page.ts";
import { logBytes } from "../../bench/costs/log-bytes.ts";
import { cheapestRead, pricesPage } from "../../bench/costs/prices-page.ts";
import { gatewayLimit, unitsByTable } from "../../bench/costs/route-limits.ts";
import { routesByArea } from "../../functions/definitions.ts";
import { TABLE_SHARE } from "../../infra/gateway/gateway.ts";
import { resolveStage } from "../../infra/settings/stages.ts";
import { expectGenerated } from "../support/generated.ts";
import { stageTemplate } from "../support/infra/templates.ts";
import { recordCosts } from "./records.ts";
import { isFullRead, routeCosts } from "./routes.ts";
import { MAX_FILLED, recordSizes, sizes } from "./sizes.ts";

const required = { origins: "https://www.example.com", alarmEmail: "none", access: "specified" };
const prod = resolveStage("prod", required);
const records = recordCosts();
const costs = routeCosts();

it("matches docs/figures/calls.md", () => {
  const jobs = new Map([...costs.jobs].map(([name, { usage }]) => [name, [usage]]));
  const tables = {
    "The record store": { sizes: recordSizes, rows: records },
    "The routes": { sizes, rows: costs.rows, withOwner: costs.withOwner },
    "The jobs": { sizes: [MAX_FILLED], rows: jobs },
  };
  expectGenerated("docs/figures/calls.md", callsPage(tables));
});

it("matches docs/figures/prices.md, in dollars", async () => {
  const stages = { dev: stageTemplate("dev"), prod: stageTemplate("prod") };
  const bytes = await logBytes(cheapestRead(costs), stages.prod);
  expect(bytes).toBeLessThanOrEqual(650);
  const measured = { costs, records: MAX_FILLED, logBytes: bytes };
  const page = pricesPage({ ...measured, fixedCosts: fixedCosts(stages.prod), stages });
  expectGenerated("docs/figures/prices.md", page);
  const dollars = (row: string) => Number(page.match(`\\| .*${row}.* \\| .* \\| \\D*([\\d.]+)`)?.[1]);
  expect(dollars("without a request: prod") / Object.keys(routesByArea).length).toBeLessThan(1.6);
  expect(dollars("the visitor")).toBeLessThan(1);
});

it("matches docs/figures/limits.md", () => {
  expectGenerated("docs/figures/limits.md", limitsPage(costs, MAX_FILLED, prod));
});

it("the ceilings of the routes are high enough whatever the size of a new record", () => {
  const perSecond = new Map(ceilings(costs).map(({ request, perSecond }) => [request, perSecond]));
  const largest = [...perSecond.keys()].filter((name) =>
    /^POST (\/users\/?|.*, (1,000|100,000) characters|.*, 100 KB)$/.test(name),
  );
  expect(largest.length).toBeGreaterThan(0);
  for (const name of largest) expect(perSecond.get(name)).toBeGreaterThanOrEqual(250);
});

it("the limits of the routes leave the tables of prod to others, with measured requests", () => {
  const excess = [...costs.byKey].flatMap(([request, byKey]) => {
    if (isFullRead(costs, request)) return [];
    const perSecond = gatewayLimit(prod, request);
    return [...unitsByTable(byKey)].flatMap(([table, { read, write }]) =>
      perSecond * read > prod.maxReadUnits * TABLE_SHARE ||
      perSecond * write > prod.maxWriteUnits * TABLE_SHARE
        ? [`${request} ${perSecond} a second: ${table} ${read} read, ${write} write`]
        : [],
    );
  });
  expect(excess).toEqual([]);
});
