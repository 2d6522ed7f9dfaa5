import { availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os";
import { type Column, markdownTable } from "../ops/cli/table.ts";
import { routeColumns, routeRows } from "../ops/load/report.ts";
import type { LoadResult } from "../ops/load/run-load.ts";
import { median } from "../ops/load/statistics.ts";
import type { ColdStart } from "./cold-start.ts";
import type { RequestOverheads } from "./requests.ts";

/** All that was measured, and with which effort. */
export interface Figures {
  readonly date: string;
  /** Of what was measured, abbreviated. */
  readonly commit: string;
  /** Milliseconds each. */
  readonly starts: readonly number[];
  readonly reloads: readonly number[];
  readonly coldStarts: readonly ColdStart[];
  readonly requests: RequestOverheads;
  readonly load: LoadResult;
  readonly rounds: number;
  readonly perRound: number;
  readonly connections: number;
}

/**
 * Writes what was measured as a page of the documentation.
 *
 * @returns Markdown
 */
export function writeMeasurements(figures: Figures): string {
  const { date, commit, starts, reloads, coldStarts, requests, load, rounds, perRound, connections } =
    figures;
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  const range = (times: readonly number[]) =>
    `${seconds(Math.min(...times))} to ${seconds(Math.max(...times))} s`;
  return `# Measurements

Made on ${date} at commit ${commit}, on one machine:
${machine()}.
They tell what is much and what is little, not what AWS will take; other work ran there besides (load average
${loadavg()[1]?.toFixed(1)}). Medians, unless it says otherwise.
\`npm run --silent bench > docs/measurements.md\` writes this page anew.

## Start and reload

\`npm start\` with an empty database in memory is ready after **${seconds(median(starts))} s**
(${starts.length} starts with warm caches, ${range(starts)}).

\`npm run dev\` serves a function's changed code **${seconds(median(reloads))} s** after the file is saved
(${reloads.length} changes of \`functions/todos/index.ts\`, ${range(reloads)}).

## Bundles and cold starts

Each function in fresh processes (${coldStarts[0]?.times.length} of them): loading its bundle, its first request and the one after it,
with an empty embedded database and everything that the stack configures. Lambda adds its own start of the
environment, and gives 1,024 MB a little more than half a core.

${coldStartTable(coldStarts)}
## A request without its database

Dispatch, decoding, validation and encoding, with repositories that answer at once: microseconds per request, the
medians of ${rounds} rounds of ${perRound.toLocaleString("en")} requests, all kinds in one run.

${requestTable(requests)}
## Under load

\`npm run load\` against a local run that shares the machine with it, up to ${connections} connections: not what the service
can take, but what the local run does.

${markdownTable(routeColumns, routeRows(load.samples, load.weights))}`;
}

function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores of ${cpu?.model.trim() || "an unnamed processor"}, ${memory} GB, ${platform()} ${release()}, Node ${process.version}`;
}

const numeric = (heading: string): Column => ({ heading, isNumeric: true });

function coldStartTable(coldStarts: readonly ColdStart[]): string {
  const columns = [
    { heading: "Function" },
    numeric("Bundle KB"),
    numeric("zipped KB"),
    numeric("Loading ms"),
    { heading: "First request" },
    numeric("ms"),
    numeric("Second ms"),
  ];
  const kilobytes = (bytes: number) => (bytes / 1024).toFixed(0);
  return markdownTable(
    columns,
    coldStarts.map(({ name, bytes, zippedBytes, request, times }) => [
      name,
      kilobytes(bytes),
      kilobytes(zippedBytes),
      median(times.map(({ load }) => load)).toFixed(0),
      `\`${request.replace(/\?.*/, "")}\``,
      median(times.map(({ first }) => first)).toFixed(0),
      median(times.map(({ second }) => second)).toFixed(1),
    ]),
  );
}

function requestTable({ quiet, logging }: RequestOverheads): string {
  const columns = [
    { heading: "Request" },
    numeric("µs"),
    numeric("× a bare handler"),
    numeric("with log line and metrics, µs"),
  ];
  const [bare = Number.NaN] = Object.values(quiet).map(median);
  return markdownTable(
    columns,
    Object.entries(quiet).map(([name, times]) => [
      name,
      median(times).toFixed(1),
      (median(times) / bare).toFixed(0),
      median(logging[name] ?? []).toFixed(1),
    ]),
  );
}
