import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../cli/command.ts";
import { progress } from "../cli/progress.ts";
import type { Usage } from "../test/support/programs/usage.ts";
import { allCredentials } from "./costs/measurements.ts";
import type { Measured } from "./growth/child.ts";
import { startFilled, startMeasured } from "./growth/functions-process.ts";
import { importTables, synthesizedTables } from "./growth/large-tables.ts";
import { countOf, filledTables } from "./growth/records.ts";
import { cpuMsUntilTimeout, growthRequests, requestOf } from "./growth/requests.ts";

const DEFAULT_SIZES = "1000,100000,1000000";
type Row = Usage & Omit<Measured, "text">;

await runCommand({
  name: "npm run --silent bench:growth",
  description: `Measures lists, filters, sorts, searches and counts in large tables, and prints the results as
Markdown, for docs/figures/growth.md.

It fills the tables of the embedded engine by its import, calls the functions' handlers in another
process, and fails if a status is neither 200 nor a documented 503. With a million records it takes about
ten minutes, 4 GB of disk and 2 GB of memory.`,
  options: {
    sizes: {
      type: "string",
      placeholder: "N,N,…",
      description: `numbers of records of most kinds (default: ${DEFAULT_SIZES}); of larger ones a fifth, for example`,
    },
  },
  async run({ sizes = DEFAULT_SIZES }) {
    const counts = sizes.split(",").map(Number);
    const columns: (readonly Row[])[] = [];
    for (const size of counts) columns.push(await measureSize(size));
    process.stdout.write(formatGrowth(counts, columns));
    return 0;
  },
});

/** @returns a row for each of `growthRequests` */
async function measureSize(size: number): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), "growth-"));
  stack.defer(() => rm(directory, { recursive: true }));
  progress(`Filling the tables for ${size.toLocaleString("en")}`);
  const tables = await synthesizedTables(directory);
  await importTables(directory, tables, size);
  const { proxy, send } = await startMeasured(stack, await startFilled(stack, directory));

  const headers = await allCredentials();
  const measure = async (line: string): Promise<Row> => {
    const { result, ...usage } = await proxy.usageOf(() => send(requestOf(line, size, headers)));
    const { text: body, ...measured } = result;
    progress(`  ${line}: ${measured.status}, ${usage.units} units, ${measured.cpuMs.toFixed()} ms`);
    const isExpected =
      measured.status === 200 || (measured.status === 503 && body.includes("too many records"));
    if (!isExpected) throw new Error(`${line} returned ${measured.status}: ${body.slice(0, 300)}`);
    return { ...usage, ...measured };
  };

  // The first request of a route loads and compiles its code.
  if (size <= 1_000) for (const line of growthRequests) await send(requestOf(line, size, headers));
  const rows: Row[] = [];
  for (const line of growthRequests) rows.push(await measure(line));
  return rows;
}

function formatGrowth(sizes: readonly number[], columns: readonly (readonly Row[])[]): string {
  const cell = (request: string, row: Row | undefined) => {
    if (row === undefined) return "";
    const { status, calls, inSequence, units, cpuMs, peakMb } = row;
    const cpu = `${cpuMs < 10 ? cpuMs.toFixed(1) : Math.round(cpuMs)}${cpuMs > cpuMsUntilTimeout(request) ? "†" : ""}`;
    return `${status}: ${calls} / ${inSequence} / ${units} / ${cpu} / ${Math.round(peakMb)}`;
  };
  return [
    "# Large tables",
    "",
    "Printed by `npm run --silent bench:growth`; [costs](../costs.md#large-tables) explains it. Each cell is the status: calls / calls in",
    `sequence / capacity units / CPU milliseconds / megabytes of the process. The columns are records of each kind${exceptions()}.`,
    "",
    `| | ${sizes.map((size) => size.toLocaleString("en")).join(" | ")} |`,
    `|---|${sizes.map(() => "---|").join("")}`,
    ...growthRequests.map(
      (request, i) => `| \`${request}\` | ${columns.map((rows) => cell(request, rows[i])).join(" | ")} |`,
    ),
    "",
  ].join("\n");
}

/** The tables with fewer records than others. */
function exceptions(): string {
  const smaller = filledTables.filter((table) => countOf(table, 1_000) < 1_000);
  const shares = smaller.map((table) => `${countOf(table, 1_000) / 10} % as many ${table}`);
  return shares.length === 0 ? "" : `, with ${shares.join(", ")}`;
}
