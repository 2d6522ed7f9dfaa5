import { catalogProducts, loadCatalog } from "../../lib/catalog.ts";
import { productsRepository } from "../../lib/repositories/products.ts";
import { refuseOperands, runCommand } from "./run-command.ts";

await runCommand({
  name: "seed",
  synopsis: "",
  help: `Loads a small product catalog, ${catalogProducts.length} products, into a table of products that is empty. Where there are any, it
changes nothing.`,
  options: {},
  check: (_, operands) => refuseOperands(operands),
  async run({ stage, isDryRun, progress, print }) {
    const products = productsRepository(stage.dynamodb, stage.table("products"));
    const before = await products.count();
    if (before > 0) {
      print(`Nothing is loaded: there are ${before} products.`);
      return;
    }
    if (isDryRun) {
      print(`Would have loaded ${catalogProducts.length} products.`);
      return;
    }
    progress("Loading the catalog");
    print(`Loaded ${await loadCatalog(products)} products.`);
  },
});
