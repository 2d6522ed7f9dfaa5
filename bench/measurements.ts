import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { run, UsageError } from "../local/cli/command-line.ts";
import { measureColdStarts } from "./cold-start.ts";
import { loadLocally } from "./local-load.ts";
import { writeMeasurements } from "./measurements-page.ts";
import { measureReloads } from "./reload.ts";
import { measureRequests } from "./requests.ts";
import { measureStarts } from "./start.ts";

const help = `npm run --silent bench > docs/measurements.md: measures the service on this machine, as Markdown.

It starts the service, changes a function while it runs (in a copy of the sources), loads each function in fresh
processes, times requests without a database, and loads a local run; that takes about two minutes. Progress goes to
standard error.

  --date YYYY-MM-DD  the date that the page names (that of the last commit)
  --quick            one measurement of each kind, to see whether it works; the figures are worth nothing
  --help             this
`;

const thorough = {
  starts: 5,
  reloads: 7,
  warmUps: 1,
  coldStarts: 7,
  rounds: 15,
  perRound: 2_000,
  seconds: 20,
  connections: 8,
};
const quick = {
  starts: 1,
  reloads: 1,
  warmUps: 0,
  coldStarts: 1,
  rounds: 1,
  perRound: 10,
  seconds: 1,
  connections: 2,
};

await run(async () => {
  const given = readOptions();
  if (given.help) {
    process.stdout.write(help);
    return 0;
  }
  const effort = given.quick ? quick : thorough;
  say("Starting the service");
  const starts = await measureStarts(effort.starts, effort.warmUps);
  say("Changing a function while it runs");
  const reloads = await measureReloads(effort.reloads, effort.warmUps);
  say("Loading each function in fresh processes");
  const coldStarts = await measureColdStarts(effort.coldStarts);
  say("Timing requests without a database");
  const requests = await measureRequests(effort.rounds, effort.perRound);
  say("Loading a local run");
  const load = await loadLocally(effort.seconds, effort.connections, say);
  const date = given.date ?? git("log", "-1", "--format=%cs");
  const commit = git("rev-parse", "--short", "HEAD");
  const figures = { date, commit, starts, reloads, coldStarts, requests, load };
  process.stdout.write(writeMeasurements({ ...effort, ...figures }));
  return 0;
});

function readOptions() {
  const options = {
    date: { type: "string" },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(`${error.message}. See --help.`) : error;
  }
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8", cwd: import.meta.dirname }).trim();
}

/** Standard output is the page's. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
