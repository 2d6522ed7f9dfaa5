import { execFileSync } from "node:child_process";
import { runCommand } from "../cli/command.ts";
import { progress } from "../cli/progress.ts";
import { measureColdStarts } from "./cold-start.ts";
import { formatMeasurements } from "./measurements-page.ts";
import { measureStarts } from "./start.ts";

const thorough = { starts: 5, warmUps: 1, coldStarts: 7 };
const quick = { starts: 1, warmUps: 0, coldStarts: 1 };

await runCommand({
  name: "npm run --silent bench",
  description: `Measures the service on this machine and prints the results as Markdown, for docs/figures/measurements.md.

It starts the service, and loads each function in new processes. This takes about a minute. Progress goes to
standard error.`,
  options: {
    quick: {
      type: "boolean",
      description: "one measurement of each kind, as a test; the results are useless",
    },
  },
  async run(options) {
    const effort = options.quick ? quick : thorough;
    progress("Starting the service");
    const starts = await measureStarts(effort.starts, effort.warmUps);
    progress("Loading each function in new processes");
    const coldStarts = await measureColdStarts(effort.coldStarts);
    const date = git("log", "-1", "--format=%cs");
    const commit = git("rev-parse", "--short", "HEAD");
    process.stdout.write(formatMeasurements({ date, commit, starts, coldStarts }));
    return 0;
  },
});

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8", cwd: import.meta.dirname }).trim();
}
