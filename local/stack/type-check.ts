import { type ChildProcess, spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const maxErrors = 10;

/**
 * Bundling ignores types, so code with type errors is reloaded and may even work. The compiler runs anew for
 * each check: as a program that watches, it takes more time, and two gigabytes.
 *
 * @param report receives the errors, and later that there are none any more
 */
export function createTypeCheck(directory: string, config: string, report: (text: string) => void) {
  const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  const state = join(directory, "node_modules", ".cache", "local-run", "types.tsbuildinfo");
  const options = ["--noEmit", "--pretty", "false", "--incremental", "--tsBuildInfoFile", state];
  let running: ChildProcess | undefined;
  let hadErrors = false;

  async function run(): Promise<void> {
    const child = spawn(process.execPath, [compiler, ...options, "-p", config], {
      cwd: directory,
      stdio: ["ignore", "pipe", "ignore"],
    });
    // A reload has priority. The process that the compiler starts inherits it.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    running = child;
    const output = await readText(child.stdout);
    if (running !== child) return;
    const errors = output.split("\n").filter((line) => /\berror TS\d+: /.test(line));
    if (errors.length > 0) {
      const shown = errors.slice(0, maxErrors).map((error) => `  ${error}`);
      const hidden = errors.length - shown.length;
      if (hidden > 0) shown.push(`  and ${hidden} more; npm run typecheck shows all`);
      report(["Warning: the reloaded code has type errors", ...shown].join("\n"));
    } else if (hadErrors) report("No type errors any more");
    hadErrors = errors.length > 0;
  }

  function stop(): void {
    running?.kill();
    running = undefined;
  }

  return {
    /** Starts a check. A running one, which checks older code, is abandoned. */
    restart() {
      stop();
      void run();
    },
    stop,
  };
}
