import { availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os";
import type { ColdStart } from "./cold-start.ts";
import { markdownTable } from "./markdown-table.ts";
import { median } from "./median.ts";

interface Measurements {
  readonly date: string;
  /** The abbreviated hash of the measured commit. */
  readonly commit: string;
  /** Milliseconds. */
  readonly starts: readonly number[];
  readonly coldStarts: readonly ColdStart[];
}

/** Formats measurements as a page of the documentation, in Markdown. */
export function formatMeasurements({ date, commit, starts, coldStarts }: Measurements): string {
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  return `# Measurements

Printed by \`npm run --silent bench\` on ${date} at commit ${commit}: ${machine()}.
Medians; they show proportions, not the performance on AWS.

\`npm start\` with an empty database in memory is ready after **${seconds(median(starts))} s**
(${starts.length} starts with warm caches, ${seconds(Math.min(...starts))} to ${seconds(Math.max(...starts))} s).

Cold starts: each function in ${coldStarts[0]?.times.length} new processes, with an empty embedded database behind TLS. "Init" loads the bundle and
makes a first request ([ADR 22](../adr/0022-warm-up.md)).

${coldStartTable(coldStarts)}`;
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
