import type { AreaSamples } from "../functions/define-area.ts";
import { ofAreas } from "../functions/of-areas.ts";
import { IdAllocation } from "../lib/records/id-allocation.ts";
import { countOf } from "../lib/records/id-blocks.ts";
import { forEachOf } from "./for-each-of.ts";
import { runOperatorCommand } from "./operator-command.ts";

const samples = Object.entries(await ofAreas<AreaSamples>("samples"));
const counts = samples.map(([area, { count }]) => `${count} ${area}`).join(", ");

await runOperatorCommand({
  name: "seed",
  description: `Loads sample records (${counts}) into tables that have never contained a record.`,
  async run(_, { stage, progress, print }) {
    await forEachOf(
      samples,
      "Not loaded (repeat the command)",
      async ([area, { load }]) => {
        const table = stage.table(area);
        const ids = await new IdAllocation(stage.dynamodb, table).read();
        if (ids.last > 0) {
          const left = countOf(ids);
          print(`Nothing loaded: there ${left > 0 ? `are ${left} ${area}` : `were ${area} before`}.`);
        } else {
          progress(`Loading ${area}`);
          print(`Loaded ${await load(stage.dynamodb, table)} ${area}.`);
        }
      },
      ([area]) => area,
    );
  },
});
