/**
 * Prints how much of `functions/` and `lib/` warm requests run: the number of functions, and of files with one.
 * `npm run bench:walk -- GET /todos/1` also lists the functions of one request with the number of their calls.
 *
 * V8's precise coverage counts the calls. Named and anonymous functions count alike, a class's fields belong to its
 * constructor, and what writes the log line does not run.
 */
import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

interface CalledFunction {
  readonly file: string;
  readonly name: string;
  readonly calls: number;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const bodies: Readonly<Record<string, unknown>> = {
  "POST /todos": { title: "Buy milk" },
  "POST /posts": { title: "A post", content: "Its text" },
  "POST /orders": [{ product_id: 1, quantity: 1 }],
};
const WARM_UPS = 5;
const shown = process.argv.slice(2).join(" ");
const requests =
  shown === "" ? ["GET /todos/1", "POST /todos", "GET /posts?page=2", "POST /orders"] : [shown];

process.env.AWS_LAMBDA_LOG_LEVEL = "FATAL";
const { startEngine } = await import("../local/database/engine.ts");
const { chooseEngine } = await import("../local/database/engine-programs.ts");
const { inProcess } = await import("../test/support/api/in-process.ts");
const { prepareInProcess } = await import("../test/support/api/in-process-target.ts");
const engine = await startEngine(chooseEngine(), undefined, () => {});
const { target, close } = await prepareInProcess(engine.endpoint);
const sendInProcess = inProcess(target);
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

await send("POST /todos");
// A second page.
for (let i = 0; i < 15; i += 1) await send("POST /posts");
console.log("| Request | Status | Functions | Files |\n|---|---|---|---|");
for (const request of requests) {
  for (let i = 0; i < WARM_UPS; i += 1) await send(request);
  await calledFunctions();
  const { status } = await send(request);
  const called = await calledFunctions();
  console.log(
    `| ${request} | ${status} | ${called.length} | ${new Set(called.map(({ file }) => file)).size} |`,
  );
  if (shown !== "") for (const { file, name, calls } of called) console.log(`${file} ${name} ${calls}`);
}
await close();
await engine.stop();

function send(request: string) {
  const [method = "", path = ""] = request.split(" ");
  const body = JSON.stringify(bodies[request]);
  return sendInProcess({ method, target: path, headers: {}, ...(body !== undefined && { body }) });
}

/** The functions that were called since the last time. */
async function calledFunctions(): Promise<CalledFunction[]> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const all = result.flatMap(({ url, functions }) => {
    const file = url.startsWith("file:") ? relative(root, fileURLToPath(url)).replaceAll("\\", "/") : "";
    return functions.map(({ functionName: name, ranges: [range] }) => ({
      file,
      name,
      calls: range?.count ?? 0,
    }));
  });
  return all.filter(
    ({ file, name, calls }) =>
      calls > 0 && /^(functions|lib)\//.test(file) && name !== "<instance_members_initializer>",
  );
}
