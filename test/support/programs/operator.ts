import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { vi } from "vitest";
import { type RunOptions, runLocally } from "../../../local/run.ts";
import { synthesizedApp } from "../infra/assembly.ts";
import { type ProgramResult, runProgram } from "./program.ts";
import { patientEnvironment, patientLimits } from "./run.ts";

type RecordCommand = "account" | "person" | "seed" | "repair" | "restore" | "export" | "import";
export type CommandName = RecordCommand | "key" | "logs" | "rotate" | "stop";

type Operator = (name: CommandName, args?: readonly string[], input?: string) => Promise<ProgramResult>;

export function localOperator(DATA_DIR: string): Operator {
  return (name, args = [], input = "") =>
    runProgram(`ops/${name}.ts`, ["--stage", "local", ...args], { environment: { DATA_DIR }, input });
}

let runs = 0;

/** Runs a command in this process, which has loaded the SDK. Each also needs a test in which it is a program. */
export async function runHere(
  name: CommandName,
  args: readonly string[],
  { environment = {}, input = "" }: { environment?: Readonly<Record<string, string>>; input?: string } = {},
): Promise<ProgramResult> {
  const outputs = { output: "", errors: "" };
  const append = (stream: keyof typeof outputs) => (text: string | Uint8Array) => {
    outputs[stream] += String(text);
    return true;
  };
  const { argv, exitCode, env } = process;
  process.argv = [process.execPath, name, ...args];
  process.env = { ...env, ...environment };
  process.exitCode = 0;
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(append("output")),
    vi.spyOn(process.stderr, "write").mockImplementation(append("errors")),
    vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([input]) as typeof process.stdin),
  ];
  try {
    runs += 1;
    await import(/* @vite-ignore */ `../../../ops/${name}.ts?run=${runs}`);
    return { code: Number(process.exitCode), ...outputs };
  } finally {
    for (const spy of spies) spy.mockRestore();
    Object.assign(process, { argv, exitCode, env });
  }
}

export function operatorHere(DATA_DIR: string): Operator {
  return (name, args = [], input = "") =>
    runHere(name, ["--stage", "local", ...args], { environment: { DATA_DIR }, input });
}

/** A local run with data of its own, which `end` deletes, and its operator: programs, or commands in this process. */
export async function runWithOperator(options: Partial<RunOptions> = {}) {
  const directory = mkdtempSync(join(tmpdir(), "operator-test-"));
  const run = await runLocally({
    app: synthesizedApp("dev"),
    dataDirectory: directory,
    environment: { AWS_LAMBDA_LOG_LEVEL: "ERROR", ...patientEnvironment },
    log: ({ source, text }) => process.stderr.write(`[${source}] ${text}\n`),
    limits: patientLimits,
    ...options,
  });
  const end = async () => {
    await run.close();
    rmSync(directory, { recursive: true });
  };
  return { run, directory, operate: localOperator(directory), operateHere: operatorHere(directory), end };
}
