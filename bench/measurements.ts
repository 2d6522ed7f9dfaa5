import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os";
import { runCommand } from "../cli/command.ts";
import { progress } from "../cli/progress.ts";
import { type ColdStart, measureColdStarts } from "./cold-start.ts";
import { markdownTable } from "./markdown-table.ts";
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
    const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
    process.stdout.write(`# Measurements

Printed by \`npm run --silent bench\` on ${date} at commit ${commit}: ${machine()}.
Medians; they show proportions, not the performance on AWS.

\`npm start\` with an empty database in memory is ready after **${seconds(median(starts))} s**
(${starts.length} starts with warm caches, ${seconds(Math.min(...starts))} to ${seconds(Math.max(...starts))} s).

Cold starts: each function in ${coldStarts[0]?.times.length} new processes, with an empty embedded database. "Init" loads the bundle and
makes a first request ([ADR 22](../adr/0022-warm-up.md)).

${coldStartTable(coldStarts)}`);
    return 0;
  },
});

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8", cwd: import.meta.dirname }).trim();
}

function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores of ${cpu?.model.trim() || "an unknown processor"}, ${memory} GB, ${platform()} ${release()}, Node ${process.version}, load ${loadavg()[1]?.toFixed(1)}`;
}

function coldStartTable(coldStarts: readonly ColdStart[]): string {
  const headings = [
    ...["Function", "Bundle KB", "Zipped KB", "Init ms", "First request", "ms", "Second ms"],
    ...["To first response ms", "CPU ms"],
  ];
  const kilobytes = (bytes: number) => (bytes / 1024).toFixed(0);
  return markdownTable(
    headings,
    coldStarts.map(({ name, bytes, zippedBytes, request, times }) => [
      name,
      kilobytes(bytes),
      kilobytes(zippedBytes),
      median(times.map(({ init }) => init)).toFixed(0),
      `\`${request.replace(/\?.*/, "")}\``,
      median(times.map(({ first }) => first)).toFixed(1),
      median(times.map(({ second }) => second)).toFixed(1),
      median(times.map(({ answered }) => answered)).toFixed(0),
      median(times.map(({ cpu }) => cpu)).toFixed(0),
    ]),
  );
}

/** The middle value; for an even number of values the lower of the two middle ones. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? Number.NaN;
}
