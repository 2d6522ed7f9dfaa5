import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientsProject } from "./support/consumer.ts";
import { credentials } from "./support/credentials.ts";
import { type MemoryRun, runInMemory } from "./support/run.ts";

interface Example {
  /** As printed, continuation lines included. */
  readonly command: string;
  /** The comment below it, where `…` stands for anything; empty for a command that prints nothing. */
  readonly expected: string;
}

const section = /^## First calls\n(.*?)^## /ms.exec(readFileSync("README.md", "utf8"))?.[1] ?? "";
const examples = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = ""]) =>
  examplesIn(block),
);

function examplesIn(block: string): Example[] {
  const commands = [...block.matchAll(/^((?:[^#\n].*\\\n)*[^#\n].*)\n((?:# .*\n)?)/gm)];
  return commands.map(([, command = "", comment = ""]) => ({ command, expected: comment.slice(2, -1) }));
}

const end = "the end of an example's output";

/** Runs all of them in one shell, as somebody does who types them in: a variable that one sets, the next has. */
async function outputsOf(url: string): Promise<string[]> {
  const script = examples
    .flatMap(({ command }) => [
      command.replaceAll("localhost:8080", new URL(url).host),
      `echo; echo "${end}"`,
    ])
    .join("\n");
  const { apiKey: API_KEY, admin } = credentials;
  const env = { PATH: process.env.PATH, API_KEY, ADMIN_PASSWORD: admin.password };
  const { stdout } = await promisify(execFile)("bash", ["-c", script], { env });
  return stdout.split(`\n${end}\n`).slice(0, -1);
}

function patternOf(expected: string): RegExp {
  const parts = expected.split("…").map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

describe("the README's first calls", () => {
  let run: MemoryRun;
  let outputs: string[];
  beforeAll(async () => {
    run = await runInMemory();
    outputs = await outputsOf(run.url);
  });
  afterAll(() => run.close());

  it("are found, every line of them", () => {
    const lines = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join("");
    const read = examples.map(({ command, expected }) => `${command}\n${expected && `# ${expected}\n`}`);
    expect(read.join("")).toBe(lines);
    expect(outputs).toHaveLength(examples.length);
  });

  it.each(examples.map((example, at) => ({ ...example, at })))("$command", ({ expected, at }) => {
    expect(outputs[at]).toMatch(patternOf(expected));
  });
});

describe("the README's client", () => {
  const [, example = ""] =
    /^## A typed client\n.*?^```ts\n(.*?)^```$/ms.exec(readFileSync("README.md", "utf8")) ?? [];

  it("is what the type tests compile, in ten lines", () => {
    expect(example).toBe(readFileSync("test/client/fixtures/first-order.ts", "utf8"));
    expect(
      example
        .trim()
        .split("\n")
        .filter((line) => !/^(import .*)?$/.test(line)).length,
    ).toBeLessThanOrEqual(10);
  });

  it("registers, logs in and orders", async () => {
    const project = clientsProject();
    const run = await runInMemory();
    const program = join(project, "first-order.ts");
    writeFileSync(program, example.replace("http://localhost:8080", run.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    await run.close();
    rmSync(project, { recursive: true });

    expect(stdout).toMatch(/^ada: ordered for \d+(\.\d+)?\n$/);
  });
});
