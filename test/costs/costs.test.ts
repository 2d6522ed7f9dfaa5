import { expect, it } from "vitest";
import { costsPage } from "../support/database/costs.ts";
import { stageTemplate } from "../support/infra/templates.ts";
import { fixedCosts } from "./fixed-costs.ts";
import { billedBytes, logBytes } from "./log-bytes.ts";
import { pricesPage } from "./prices-page.ts";
import { recordCosts } from "./records.ts";
import { routeCosts } from "./routes.ts";
import { recordSizes, sizes } from "./sizes.ts";

const records = recordCosts();
const costs = routeCosts();

it("matches docs/costs.md", async () => {
  const tables = {
    "The record store": { sizes: recordSizes, rows: records },
    "The routes": { sizes, rows: costs.rows },
  };
  await expect(costsPage(tables)).toMatchFileSnapshot("../../docs/costs.md");
});

it("matches docs/prices.md, in dollars", async () => {
  const prod = stageTemplate("prod");
  const logs = await logBytes(prod);
  expect(billedBytes([...logs.values()].flat())).toBeLessThanOrEqual(650);
  const page = pricesPage({
    costs,
    records: sizes.at(-1) ?? 0,
    logs,
    fixedCosts: fixedCosts(prod),
    stages: { dev: stageTemplate("dev"), prod },
  });
  await expect(page).toMatchFileSnapshot("../../docs/prices.md");
});
