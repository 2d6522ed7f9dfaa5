import { availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os";
import type { ColdStart } from "./cold-start.ts";
import { markdownTable } from "./markdown-table.ts";
import { median } from "./median.ts";
import type { RequestOverheads } from "./requests.ts";

interface Measurements {
  readonly date: string;
  /** The abbreviated hash of the measured commit. */
  readonly commit: string;
  /** Milliseconds. */
  readonly starts: readonly number[];
  /** Milliseconds. */
  readonly reloads: readonly number[];
  readonly coldStarts: readonly ColdStart[];
  readonly requests: RequestOverheads;
  readonly rounds: number;
  readonly perRound: number;
}

/** Formats measurements as a page of the documentation, in Markdown. */
export function formatMeasurements(measurements: Measurements): string {
  const { date, commit, starts, reloads, coldStarts, requests, rounds, perRound } = measurements;
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  const range = (times: readonly number[]) =>
    `${seconds(Math.min(...times))} to ${seconds(Math.max(...times))} s`;
  return `# Measurements

Made on ${date} at commit ${commit}, on one machine:
${machine()}.
They show proportions, not the performance on AWS; the machine was also doing other work (load average
${loadavg()[1]?.toFixed(1)}). Values are medians unless stated otherwise.
\`npm run --silent bench > docs/measurements.md\` regenerates this page.

## Start and reload

\`npm start\` with an empty database in memory is ready after **${seconds(median(starts))} s**
(${starts.length} starts with warm caches, ${range(starts)}).

\`npm run dev\` serves a function's changed code **${seconds(median(reloads))} s** after the file is saved
(${reloads.length} changes of \`functions/accounts/index.ts\`, ${range(reloads)}).

## Bundles and cold starts

Each function in ${coldStarts[0]?.times.length} new processes, with the configuration of the stack and an empty embedded database behind TLS:
its initialization, which loads the bundle and makes a first request ([ADR 22](adr/0022-warm-up.md)), and a client's
first and second request. Then the time and the CPU time from the start of the process to the first response. The bare
SDK is a handler that only reads one item with the AWS SDK. On Lambda, starting the execution environment comes on top,
and a function with 1,024 MB has a little more than half a core for requests.

${coldStartTable(coldStarts)}
## A request without the database

Routing, decoding, validation and encoding, with repositories that return immediately: microseconds per request,
medians of ${rounds} rounds of ${perRound.toLocaleString("en")} requests.

${requestTable(requests)}`;
}

function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores of ${cpu?.model.trim() || "an unknown processor"}, ${memory} GB, ${platform()} ${release()}, Node ${process.version}`;
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

function requestTable({ quiet, logging }: RequestOverheads): string {
  const headings = ["Request", "µs", "× a bare handler", "With log line and metrics, µs"];
  const [bare = Number.NaN] = Object.values(quiet).map(median);
  return markdownTable(
    headings,
    Object.entries(quiet).map(([name, times]) => [
      name,
      median(times).toFixed(1),
      (median(times) / bare).toFixed(0),
      median(logging[name] ?? []).toFixed(1),
    ]),
  );
}
