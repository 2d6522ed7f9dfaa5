import { fileURLToPath } from "node:url";
import type { LogLine } from "../../../local/log.ts";
import { type LocalRun, type RunOptions, runLocally } from "../../../local/run.ts";
import { secretValues } from "../data/credentials.ts";
import { synthesizedApp } from "../infra/assembly.ts";

export interface MemoryRun extends LocalRun {
  readonly lines: readonly LogLine[];
}

/** On a busy machine a request may wait long for its turn, and a function may start slowly. */
export const patientLimits = { waitMs: 600_000, initMs: 600_000, integrationTimeoutMs: 600_000 };

/** Calls of the functions do not time out. On a busy machine they would be repeated. */
export const patientEnvironment = {
  NODE_OPTIONS: `--require="${fileURLToPath(new URL("patient-timers.cjs", import.meta.url))}"`,
};

/** Runs dev's stack as `npm start` does, in memory. With another `environment`, calls time out as in Lambda. */
export async function runInMemory(options: Partial<RunOptions> = {}): Promise<MemoryRun> {
  const lines: LogLine[] = [];
  const run = await runLocally({
    app: synthesizedApp("dev"),
    dataDirectory: "memory",
    secrets: secretValues,
    environment: patientEnvironment,
    log: (line) => lines.push(line),
    ...options,
    limits: { ...patientLimits, ...options.limits },
  });
  return { ...run, lines };
}
