import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const compilerFile = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));
const maxErrors = 10;

/**
 * Bundling ignores types, so code with type errors is reloaded and may even work. The compiler watches the files
 * in a process of its own, which gives way to all others.
 *
 * @param report receives the errors after a change, and later that there are none any more
 * @returns a function that stops it
 */
export function startTypeCheck(config: string, report: (text: string) => void): () => void {
  const options = ["--noEmit", "--watch", "--preserveWatchOutput", "--pretty", "false"];
  const compiler = spawn(process.execPath, [compilerFile, "-p", config, ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (compiler.pid !== undefined) setPriority(compiler.pid, constants.priority.PRIORITY_LOW);
  let errors: string[] = [];
  let hadErrors = false;
  createInterface(compiler.stdout).on("line", (line) => {
    if (/\berror TS\d+: /.test(line)) errors.push(`  ${line}`);
    if (!/ Found \d+ errors?\. Watching for file changes\.$/.test(line)) return;
    const hidden = errors.splice(maxErrors).length;
    if (hidden > 0) errors.push(`  and ${hidden} more; npm run typecheck shows all`);
    if (errors.length > 0) report(["Warning: the code has type errors", ...errors].join("\n"));
    else if (hadErrors) report("No type errors any more");
    hadErrors = errors.length > 0;
    errors = [];
  });
  return () => compiler.kill();
}
