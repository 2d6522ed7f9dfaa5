import { runCommand } from "../cli/command.ts";
import { readDataDirectory } from "./cli/settings.ts";
import { resetData } from "./database/reset-data.ts";

await runCommand({
  name: "npm run reset",
  description: "Deletes the data of the local run, so that the next run starts from scratch.",
  options: { yes: { type: "boolean", short: "y", description: "delete without asking" } },
  variables: { DATA_DIR: "the data directory (default: .data)" },
  async run({ yes }) {
    const result = await resetData(readDataDirectory(process.env), yes ? undefined : process.stdin);
    process.stdout.write(`${result}\n`);
    return 0;
  },
});
