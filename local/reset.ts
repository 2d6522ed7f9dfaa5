import { parseArgs } from "node:util";
import { resetData } from "./database/reset-data.ts";
import { StartError } from "./start-error.ts";

const help = `npm run reset: deletes the data of the local run; the next start creates it again.

  -y, --yes   do not ask for confirmation
  -h, --help  show this help

Environment variables:
  DATA_DIR    the data directory (.data)
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
    const result = await resetData(process.env.DATA_DIR || ".data", values.yes ? undefined : process.stdin);
    process.stdout.write(`${result}\n`);
  }
} catch (error) {
  const isUsage = (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS") ?? false;
  if (!isUsage && !(error instanceof StartError)) throw error;
  process.stderr.write(`${(error as Error).message}${isUsage ? ". See npm run reset -- --help." : ""}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
