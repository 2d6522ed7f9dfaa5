import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { bannerText } from "../local/cli/banner.ts";
import { readSettings } from "../local/cli/settings.ts";
import { credentials } from "./support/data/credentials.ts";
import { codeBlocksOf } from "./support/markdown.ts";
import { clientsProject } from "./support/programs/consumer.ts";
import { runInMemory } from "./support/programs/run.ts";

interface Example {
  /** As printed, continuation lines included. */
  readonly command: string;
  /** The comment below it, where `…` stands for any text; empty for a command that prints nothing. */
  readonly expected: string;
}

/** Every block of shell examples, in the order in which a reader runs them. */
const blocks = ["README.md", "docs/first-calls.md"].flatMap((page) => codeBlocksOf(page, "sh"));
const examples = blocks.flatMap((block): Example[] => {
  const commands = [...block.matchAll(/^((?:[^#\n].*\\\n)*[^#\n].*)\n((?:# .*\n)?)/gm)];
  return commands.map(([, command = "", comment = ""]) => ({ command, expected: comment.slice(2, -1) }));
});

const linesOf = (text: string) => text.trim().split("\n");
const separator = "the end of an example's output";

/** Runs all examples in one shell, because later ones use variables that earlier ones set. */
async function runExamples(url: string): Promise<string[]> {
  const commands = examples.map(({ command }) => `${command}\necho; echo "${separator}"`);
  const script = commands.join("\n").replaceAll("localhost:8080", new URL(url).host);
  const { apiKey: API_KEY, admin } = credentials;
  const env = { PATH: process.env.PATH, API_KEY, ADMIN_PASSWORD: admin.password };
  const { stdout } = await promisify(execFile)("bash", ["-c", script], { env });
  return stdout.split(`\n${separator}\n`).slice(0, -1);
}

function patternOf(expected: string): RegExp {
  const parts = expected.split("…").map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

describe("the README and docs/first-calls.md", async () => {
  const run = await runInMemory();
  afterAll(() => run.close());
  const outputs = await runExamples(run.url);

  it("consist of examples that were all recognized", () => {
    const written = ({ command, expected }: Example) => `${command}\n${expected && `# ${expected}\n`}`;
    expect(examples.map(written).join("")).toBe(blocks.join(""));
    expect(examples.length).toBeGreaterThanOrEqual(18);
    expect(outputs).toHaveLength(examples.length);
  });

  it.each(examples.map((example, index) => ({ ...example, index })))("$command", ({ expected, index }) => {
    expect(outputs[index]).toMatch(patternOf(expected));
  });

  it("show what npm start prints", () => {
    const printed = codeBlocksOf("README.md", "").find((block) => block.includes("npm start\n")) ?? "";
    const [, seconds = ""] = /after ([\d.]+) s/.exec(printed) ?? [];
    const [, AdminPassword = ""] = /admin, password (\S+)/.exec(printed) ?? [];
    const [, ApiKeys = ""] = /API key +(\S+)/.exec(printed) ?? [];
    const ready = { url: "http://127.0.0.1:8080", seconds, secrets: { AdminPassword, ApiKeys } };
    expect(printed).toContain(bannerText(ready, readSettings({}), (text) => text).trim());
  });

  it("show a route as it is declared, on a few screens", () => {
    const [shown = ""] = codeBlocksOf("README.md", "ts");
    const indented = shown.replaceAll(/^(?=.)/gm, "  ");
    expect(readFileSync("functions/todos/routes.ts", "utf8")).toContain(indented);
    expect(linesOf(shown).length).toBeLessThanOrEqual(12);
    expect(linesOf(readFileSync("README.md", "utf8")).length).toBeLessThanOrEqual(190);
  });
});

describe("the README's client", () => {
  const [, example = ""] = codeBlocksOf("README.md", "ts");

  it("is the program that the type tests compile, in ten lines", () => {
    expect(example).toBe(readFileSync("test/client/fixtures/first-order.ts", "utf8"));
    const statements = linesOf(example).filter((line) => !/^(import .*)?$/.test(line));
    expect(statements.length).toBeLessThanOrEqual(10);
  });

  it("registers, logs in and orders", async () => {
    const project = clientsProject(onTestFinished);
    const run = await runInMemory();
    const program = join(project, "first-order.ts");
    writeFileSync(program, example.replace("http://localhost:8080", run.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    await run.close();

    expect(stdout).toMatch(/^ada ordered for \d+(\.\d+)?\n$/);
  });
});
