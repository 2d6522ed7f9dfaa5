import { expect, it } from "vitest";
import { costsPage } from "../support/costs.ts";
import { recordCosts } from "./records.ts";
import { routeCosts } from "./routes.ts";
import { sizes } from "./sizes.ts";

const tables = {
  "The record store": recordCosts(),
  "The routes": routeCosts(),
};

it("stands in docs/costs.md", async () => {
  await expect(costsPage(sizes, tables)).toMatchFileSnapshot("../../docs/costs.md");
});
