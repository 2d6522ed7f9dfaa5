import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "./child-processes.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const copiedFiles = [
  ...["cli", "functions", "infra", "lib", "local"],
  ...["cdk.json", "package-lock.json", "package.json", "tsconfig.json"],
];
const changedFile = join("functions", "accounts", "index.ts");

/**
 * Measures how long `npm run dev` takes from saving a function until it reports the reload, on a copy of the
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
    await program.printed(/^Ready at /m);
    const durations: number[] = [];
    for (let i = 0; i < times; i += 1) {
      const savedAt = performance.now();
      // Not a comment: the bundle contains none.
      appendFileSync(join(directory, changedFile), `\nprocess.emit("reload-${i}" as never);\n`);
      const output = await program.printed(/^(Reloaded|The code before) .*\n/m);
      durations.push(performance.now() - savedAt);
      if (!/^Reloaded AccountsFunction in /m.test(output))
        throw new Error(`Expected a reload of that function only:\n${output}`);
    }
    return durations;
  } finally {
    await program.stop();
  }
}
