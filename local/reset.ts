import { runCommand } from "../cli/command.ts";
import { readDataDirectory } from "./cli/settings.ts";
import { resetData } from "./database/reset-data.ts";

await runCommand({
  name: "npm run reset",
  description: "Deletes the data of the local run, so that the next run starts from scratch.",
  options: { yes: { type: "boolean", description: "delete without asking" } },
  arguments: {
    directory: { type: "string", description: "the data directory (env: DATA_DIR; default: .data)" },
  },
  async run({ yes, directory }) {
    const result = await resetData(
      readDataDirectory({ DATA_DIR: directory ?? process.env.DATA_DIR }),
      yes ? undefined : process.stdin,
    );
    process.stdout.write(`${result}\n`);
    return 0;
  },
});
