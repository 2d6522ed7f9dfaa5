import { execFileSync } from "node:child_process";
import { runCommand } from "../cli/command.ts";
import { progress } from "../cli/progress.ts";
import { measureColdStarts } from "./cold-start.ts";
import { formatMeasurements } from "./measurements-page.ts";
import { measureReloads } from "./reload.ts";
import { measureRequests } from "./requests.ts";
import { measureStarts } from "./start.ts";

const thorough = {
  starts: 5,
  reloads: 7,
  warmUps: 1,
  coldStarts: 7,
  rounds: 15,
  perRound: 2_000,
};
const quick = {
  starts: 1,
  reloads: 1,
  warmUps: 0,
  coldStarts: 1,
  rounds: 1,
  perRound: 10,
};

await runCommand({
  name: "npm run --silent bench",
  description: `Measures the service on this machine and prints the results as Markdown, for docs/measurements.md.

It starts the service, changes a function while a copy runs, loads each function in new processes, and
times requests without a database. This takes about two minutes. Progress goes to standard error.`,
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
    progress("Changing a function while it runs");
    const reloads = await measureReloads(effort.reloads, effort.warmUps);
    progress("Loading each function in new processes");
    const coldStarts = await measureColdStarts(effort.coldStarts);
    progress("Timing requests without a database");
    const requests = await measureRequests(effort.rounds, effort.perRound);
    const date = git("log", "-1", "--format=%cs");
    const commit = git("rev-parse", "--short", "HEAD");
    const measurements = { date, commit, starts, reloads, coldStarts, requests };
    process.stdout.write(formatMeasurements({ ...effort, ...measurements }));
    return 0;
  },
});

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8", cwd: import.meta.dirname }).trim();
}
