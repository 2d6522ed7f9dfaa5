import { IdAllocation } from "../lib/repositories/records/id-allocation.ts";
import { countOf } from "../lib/repositories/records/id-blocks.ts";
import { catalogProducts, loadCatalog } from "../lib/repositories/sample-catalog.ts";
import { refuseOperands, runCommand } from "./cli/operator-command.ts";

await runCommand({
  name: "seed",
  synopsis: "",
  help: `Loads a small product catalog, ${catalogProducts.length} products, into a table that has never had a product. Where there are or were
any, it changes nothing.`,
  options: {},
  check: (_, operands) => refuseOperands(operands),
  async run({ stage, isDryRun, progress, print }) {
    const table = stage.table("products");
    const books = await new IdAllocation(stage.dynamodb, table).read();
    if (books.last > 0) {
      const count = countOf(books);
      print(`Nothing is loaded: there ${count > 0 ? `are ${count} products` : "were products before"}.`);
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
