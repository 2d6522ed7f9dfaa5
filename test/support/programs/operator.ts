import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type LocalRun, type RunOptions, runLocally } from "../../../local/run.ts";
import { synthesizedApp } from "../infra/assembly.ts";
import { type Left, runProgram } from "./program.ts";
import { patientLimits } from "./run.ts";

export type CommandName = "account" | "seed" | "key" | "rotate" | "repair" | "export" | "import";

/** The file of an operator's command. */
export function commandFile(name: CommandName): string {
  return fileURLToPath(new URL(`../../../ops/${name}.ts`, import.meta.url));
}

/** Runs an operator's command for one stage with arguments and standard input. */
export type Operator = (name: CommandName, args?: readonly string[], input?: string) => Promise<Left>;

/**
 * Runs commands for the stage `local`.
 *
 * @param directory the run's data directory
 */
export function localOperator(directory: string): Operator {
  return (name, args = [], input = "") =>
    runProgram(commandFile(name), ["--stage", "local", ...args], {
      environment: { DATA_DIR: directory },
      input,
    });
}

/** A local run with its own data, and its operator. `end` stops it and deletes the data. */
export async function runWithOperator(options: Partial<RunOptions> = {}): Promise<{
  readonly run: LocalRun;
  readonly directory: string;
  readonly operate: Operator;
  readonly end: () => Promise<void>;
}> {
  const directory = mkdtempSync(join(tmpdir(), "operator-test-"));
  const run = await runLocally({
    app: synthesizedApp("dev"),
    dataDirectory: directory,
    environment: { AWS_LAMBDA_LOG_LEVEL: "ERROR" },
    log: ({ source, text }) => process.stderr.write(`[${source}] ${text}\n`),
    limits: patientLimits,
    ...options,
  });
  const end = async () => {
    await run.close();
    rmSync(directory, { recursive: true });
  };
  return { run, directory, operate: localOperator(directory), end };
}
