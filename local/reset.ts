import { parseArgs } from "node:util";
import { resetData } from "./database/reset-data.ts";
import { StartError } from "./start-error.ts";

const help = `npm run reset: deletes the data of the local run, so that the next one starts afresh.

  -y, --yes   does not ask
  -h, --help  this text

Environment variables:
  DATA_DIR    where the data is (.data)
`;

try {
  const { values } = parseArgs({
    options: {
      yes: { type: "boolean", short: "y", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) process.stdout.write(help);
  else {
    const done = await resetData(process.env.DATA_DIR || ".data", values.yes ? undefined : process.stdin);
    process.stdout.write(`${done}\n`);
  }
} catch (error) {
  const isUsage = (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS") ?? false;
  if (!isUsage && !(error instanceof StartError)) throw error;
  process.stderr.write(`${(error as Error).message}${isUsage ? ". See npm run reset -- --help." : ""}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
