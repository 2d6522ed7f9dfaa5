import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startProgram } from "./child-processes.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const copiedFiles = [
  ...["cli", "functions", "infra", "lib", "local"],
  ...["cdk.json", "package-lock.json", "package.json", "tsconfig.json"],
];
const SYNTHESIS_MS = 6_000;
const changedFile = join("functions", "users", "index.ts");

/**
 * Measures how long `npm run dev` takes from saving a function until a request gets its response, on a copy of the
 * sources.
 *
 * @returns milliseconds of each reload
 * @throws {Error} if anything but that function is reloaded
 */
export async function measureReloads(times: number, warmUps: number): Promise<number[]> {
  const directory = mkdtempSync(join(tmpdir(), "reload-"));
  try {
    for (const name of copiedFiles) cpSync(join(root, name), join(directory, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
    return (await measureIn(directory, warmUps + times)).slice(warmUps);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function measureIn(directory: string, times: number): Promise<number[]> {
  const program = startProgram(process.execPath, [join("local", "dev.ts")], directory);
  try {
    const [, url = ""] = (await program.printed(/^Ready at .*\n/m)).match(/^Ready at (\S+)/m) ?? [];
    const durations: number[] = [];
    for (let i = 0; i < times; i += 1) {
      const savedAt = performance.now();
      // Not a comment: the bundle contains none.
      appendFileSync(join(directory, changedFile), `\nprocess.emit("reload-${i}" as never);\n`);
      const output = await program.printed(/^(Reloaded|The code before) .*\n/m);
      await (await fetch(`${url}/users`)).text();
      durations.push(performance.now() - savedAt);
      // The stack is synthesized behind it, and types are checked.
      await setTimeout(SYNTHESIS_MS);
      if (!/^Reloaded UsersFunction in /m.test(output))
        throw new Error(`Expected a reload of that function only:\n${output}`);
    }
    return durations;
  } finally {
    await program.stop();
  }
}
