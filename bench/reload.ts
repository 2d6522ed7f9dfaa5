import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const copied = ["functions", "infra", "lib", "local", "package-lock.json", "package.json", "tsconfig.json"];
const changed = join("functions", "todos", "index.ts");

/**
 * Measures what `npm run dev` takes to go over to a changed function: from the moment that the file is saved
 * until it says that it has reloaded. It runs on a copy of the sources, with an empty database in memory.
 *
 * @param times how often the function changes
 * @param warmUps how often before that
 * @returns milliseconds of each reload
 * @throws {Error} with its output when it ends by itself, or reloads anything else
 */
export async function measureReloads(times: number, warmUps: number): Promise<number[]> {
  const directory = mkdtempSync(join(tmpdir(), "reload-"));
  try {
    for (const name of copied) cpSync(join(root, name), join(directory, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
    return (await measureIn(directory, warmUps + times)).slice(warmUps);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function measureIn(directory: string, times: number): Promise<number[]> {
  const child = spawn(process.execPath, [join("local", "dev.ts")], {
    cwd: directory,
    env: { ...process.env, PORT: "0", DATA_DIR: "memory" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let output = "";
  const heard = new EventEmitter();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      heard.emit("text");
    });
  const printed = async (pattern: RegExp) => {
    while (!pattern.test(output)) await once(heard, "text");
  };
  const said = async (pattern: RegExp) => {
    if (!(await Promise.race([printed(pattern).then(() => true), ended.then(() => false)])))
      throw new Error(`npm run dev ended by itself:\n${output}`);
  };
  try {
    await said(/^Ready at /m);
    const found: number[] = [];
    for (let count = 0; count < times; count += 1) {
      output = "";
      const started = performance.now();
      // A comment would not do: the bundle has none.
      appendFileSync(join(directory, changed), `\nprocess.emit("reload-${count}" as never);\n`);
      await said(/^(Reloaded|The code before) .*\n/m);
      found.push(performance.now() - started);
      if (!/^Reloaded TodosFunction in /m.test(output))
        throw new Error(`Not that function alone:\n${output}`);
    }
    return found;
  } finally {
    child.kill("SIGINT");
    await ended;
  }
}
