import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { progress } from "../../cli/progress.ts";
import { mapConcurrently } from "../../lib/dynamodb/query.ts";
import { recordKey } from "../../lib/records/id-blocks.ts";
import { createHttpClient } from "../../ops/http-client.ts";
import { prepareInProcess } from "../../test/support/api/in-process-target.ts";
import { longText } from "../../test/support/database/largest-record.ts";
import type { ExampleRecord } from "../../test/support/measure-area.ts";
import { messageOfChild, startProgram } from "../child-processes.ts";
import { markdownTable } from "../markdown-table.ts";
import { median } from "../median.ts";
import type { Exported } from "./export-child.ts";
import { startFilled, startMeasured } from "./functions-process.ts";
import { importTables, synthesizedTables } from "./large-tables.ts";
import { requestOf } from "./requests.ts";

const EXPORTED = 1_000_000;
const LARGEST_USERS = 40_000;
const LOGINS = 2_000;
const REQUESTS = 100_000;
const CONNECTIONS = 32;
const root = new URL("../..", import.meta.url);

type Row = readonly [what: string, result: string];

/** Measures what no other page shows: caps, the largest list, an export, a storm of logins, a long local run. */
export async function extremesSection(): Promise<string> {
  const rows: Row[] = [];
  const measures = [largestList, largeExport, loginStorm, longRun];
  // Of a service with the areas that attacks are simulated on.
  if (existsSync(new URL("bench/victims.ts", root))) measures.unshift(cappedReaders);
  for (const measure of measures) {
    progress(measure.name);
    rows.push(await measure());
    progress(`  ${rows.at(-1)?.join(": ")}`);
  }
  return `\n## Extremes\n\nThe time from a save to the reload is in [measurements.md](measurements.md).\n\n${markdownTable(["What", "Result"], rows)}`;
}

async function cappedReaders(): Promise<Row> {
  const args = ["local/launch.cjs", "bench/victims.ts", "--only", "GET /todos", "--records", "100000"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  const row = stdout.split("\n").find((line) => line.startsWith("| GET")) ?? "";
  const [, , rate, served, refused, others, , median] = row.split("|").map((cell) => cell.trim());
  return [
    `\`GET /todos\` of 100,000 todos of 4 KB, ${rate} a second, in a table of prod (simulated, as in [limits.md](limits.md#beside-an-attack))`,
    `${served} served, ${refused} get 429; others who read and write single todos: ${others} served, median ${median} ms`,
  ];
}

const largestUser: ExampleRecord = (id) => [
  { ...recordKey(id), name: longText(200), email: `@${longText(319)}`, age: 36 },
];

async function largestList(): Promise<Row> {
  await using stack = new AsyncDisposableStack();
  const { engine } = await filledEngine(stack, LARGEST_USERS, largestUser);
  const { proxy, send } = await startMeasured(stack, engine);
  const { result, units } = await proxy.usageOf(() => send(requestOf("GET /users", LARGEST_USERS, {})));
  const megabytes = (Buffer.byteLength(result.text) / 1_000_000).toFixed(1);
  return [
    `\`GET /users\` of ${LARGEST_USERS.toLocaleString("en")} users of 2 KB, without parameters`,
    `${result.status}: a response of ${megabytes} MB, ${units} units, ${Math.round(result.cpuMs)} ms of CPU, ${Math.round(result.peakMb)} MB of memory`,
  ];
}

async function largeExport(): Promise<Row> {
  await using stack = new AsyncDisposableStack();
  const { engine, directory } = await filledEngine(stack, EXPORTED);
  const { tables, close } = await prepareInProcess(engine.endpoint, { withCatalog: false });
  stack.defer(close);
  const names = tables.map(({ label, request }) => [
    label.replace(/Table$/, "").toLowerCase(),
    request.TableName,
  ]);
  const output = join(directory, "exported");
  const args = [engine.endpoint, JSON.stringify(Object.fromEntries(names)), output];
  const child = new URL("./export-child.ts", import.meta.url);
  const { items, seconds, peakMb } = await messageOfChild<Exported>(child, args, {});
  const bytes = readdirSync(output).reduce((sum, file) => sum + statSync(join(output, file)).size, 0);
  return [
    `\`npm run export\` of ${items.toLocaleString("en")} items, beside the local engine`,
    `${Math.round(seconds)} s, ${Math.round(peakMb)} MB of memory, ${Math.round(bytes / 1_000_000)} MB of files`,
  ];
}

/** An engine whose table of user records is filled. */
async function filledEngine(stack: AsyncDisposableStack, size: number, recordOf?: ExampleRecord) {
  const directory = await mkdtemp(join(tmpdir(), "growth-"));
  stack.defer(() => rm(directory, { recursive: true }));
  const users = [...(await synthesizedTables(directory))].filter(([name]) => name === "users");
  await importTables(directory, new Map(users), size, recordOf);
  return { directory, engine: await startFilled(stack, directory) };
}

/** The service as `npm start` runs it. */
async function startService(stack: AsyncDisposableStack) {
  const args = ["local/launch.cjs", "local/start.ts"];
  const program = stack.adopt(startProgram(process.execPath, args, root), (it) => it.stop());
  const [, url = ""] = /Ready at (\S+)/.exec(await program.printed(/^Ready at .*$/m)) ?? [];
  const client = stack.adopt(createHttpClient(new URL(url), CONNECTIONS), (it) => it.close());
  return { client, pid: program.pid };
}

async function loginStorm(): Promise<Row> {
  await using stack = new AsyncDisposableStack();
  const { client } = await startService(stack);
  const logIn = (username: string, password: string) =>
    client.send({ method: "POST", target: "/auth/login", body: { username, password } });
  const password = "Analytical1";
  for (const username of ["ada", "grace"]) {
    const account = { username, email: `${username}@example.com`, password };
    await client.send({ method: "POST", target: "/users/", body: account });
  }
  const responses = await mapConcurrently([...Array(LOGINS)], () => logIn("ada", "Wrong horse 1"));
  const counts = [...Map.groupBy(responses, ({ status }) => status)].map(
    ([status, some]) => `${some.length} × ${status}`,
  );
  const times = responses.map(({ milliseconds }) => milliseconds);
  const { status, headers } = await logIn("ada", password);
  const { status: other } = await logIn("grace", password);
  return [
    `${LOGINS.toLocaleString("en")} logins with a wrong password for one account, ${CONNECTIONS} at a time, local run`,
    `${counts.join(", ")}, median ${Math.round(median(times))} ms; then its owner, from the same address, with the right one: ${status}, ` +
      `to be tried again after ${headers["retry-after"] ?? 0} s; another account: ${other}`,
  ];
}

async function longRun(): Promise<Row> {
  await using stack = new AsyncDisposableStack();
  const { client, pid } = await startService(stack);
  const send = (count: number) =>
    mapConcurrently([...Array(count).keys()], async (i) => {
      const request =
        i % 10 === 0
          ? { method: "POST", target: "/users", body: { name: `User ${i}`, email: "a@example.com", age: 36 } }
          : { method: "GET", target: "/users/1" };
      const { status, text } = await client.send(request);
      if (status > 201) throw new Error(`A request of the long run returned ${status}: ${text}`);
    });
  await send(REQUESTS / 20);
  const before = memoryOf(pid);
  const startedAt = performance.now();
  await send(REQUESTS);
  const perSecond = Math.round((1_000 * REQUESTS) / (performance.now() - startedAt));
  return [
    `${REQUESTS.toLocaleString("en")} requests to the local run, a tenth of which create a user record`,
    `${before} MB of memory after the first ${(REQUESTS / 20).toLocaleString("en")}, ${memoryOf(pid)} MB at the end, ` +
      `with the database in memory; ${perSecond} requests a second`,
  ];
}

/** The resident memory of a process group, in megabytes. */
function memoryOf(group: number): number {
  let kilobytes = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const [, , , , groupOf] = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/\(.*\)/, "()")
        .split(" ");
      if (Number(groupOf) === group)
        kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
    } catch {
      // It has ended.
    }
  }
  return Math.round(kilobytes / 1_000);
}
