import { IdAllocation } from "../lib/repositories/records/id-allocation.ts";
import { countOf } from "../lib/repositories/records/id-blocks.ts";
import { catalogProducts, loadCatalog } from "../lib/repositories/sample-catalog.ts";
import { runOperatorCommand } from "./operator-command.ts";

await runOperatorCommand({
  name: "seed",
  description: `Loads a small catalog of ${catalogProducts.length} products, if the table has never contained a product.`,
  async run(_, { stage, isDryRun, progress, print }) {
    const table = stage.table("products");
    const ids = await new IdAllocation(stage.dynamodb, table).read();
    if (ids.last > 0) {
      const count = countOf(ids);
      print(`Nothing loaded: there ${count > 0 ? `are ${count} products` : "were products before"}.`);
      return;
    }
    if (isDryRun) {
      print(`Would have loaded ${catalogProducts.length} products.`);
      return;
    }
    progress("Loading the catalog");
    print(`Loaded ${await loadCatalog(stage.dynamodb, table)} products.`);
  },
});
