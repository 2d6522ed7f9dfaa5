import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text as readText } from "node:stream/consumers";

/** How many type errors are shown; one mistake can cause hundreds. */
const maxErrors = 10;

/** Checks a project's types in the background. */
export interface TypeCheck {
  /** Starts a check. A running one, which checks older code, is abandoned. */
  restart(): void;
  stop(): void;
}

/**
 * Creates a type check. Bundling ignores types, so code with type errors is reloaded and may even work.
 *
 * @param project the directory with tsconfig.json
 * @param report receives the errors, and later that there are none any more
 */
export function createTypeCheck(project: string, report: (text: string) => void): TypeCheck {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin",
    "tsc",
  );
  let running: ChildProcess | undefined;
  let hadErrors = false;

  async function run(): Promise<void> {
    const child = spawn(process.execPath, [compiler, "--noEmit", "--pretty", "false", "-p", project], {
      cwd: project,
      stdio: ["ignore", "pipe", "ignore"],
    });
    running = child;
    const output = await readText(child.stdout);
    if (running !== child) return;
    const errors = output.split("\n").filter((line) => /\berror TS\d+: /.test(line));
    if (errors.length > 0) report(describe(errors));
    else if (hadErrors) report("No type errors any more");
    hadErrors = errors.length > 0;
  }

  function stop(): void {
    running?.kill();
    running = undefined;
  }

  return {
    restart() {
      stop();
      void run();
    },
    stop,
  };
}

function describe(errors: readonly string[]): string {
  const hidden = errors.length - maxErrors;
  return [
    "Warning: the reloaded code has type errors",
    ...errors.slice(0, maxErrors).map((error) => `  ${error}`),
    ...(hidden > 0 ? [`  and ${hidden} more; npm run typecheck shows all`] : []),
  ].join("\n");
}
