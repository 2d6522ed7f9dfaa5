import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../../cli/command.ts";
import { CommandError, UsageError } from "../../cli/errors.ts";
import { copyProject } from "../support/programs/project-copy.ts";
import { type Mutant, mutants } from "./mutants.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

await runCommand({
  name: "npm run mutants",
  description: `Makes one mistake after the other in copies of the project, and checks that the quick tests find it.
Each one is tried with the test file that the list (test/mutants/mutants.ts) names, or that of the same name. The exit code is 1
if a test file does not find its mistake, or if a file does not contain the text that the list replaces.`,
  arguments: { part: { type: "string", description: "only mistakes in files whose path contains it" } },
  run: async ({ part = "" }) => {
    const selected = Object.entries(mutants)
      .flatMap(([file, list]) => list.map((mutant) => ({ file, mutant, test: mutant[3] ?? testOf(file) })))
      .filter(({ file }) => file.includes(part));
    if (selected.length === 0)
      throw new UsageError(`No file of test/mutants/mutants.ts has "${part}" in its path.`);
    const problems = selected.flatMap(({ file, mutant }) => problemOf(file, mutant) ?? []);
    if (problems.length > 0) throw new CommandError(`The list needs an update:\n${problems.join("\n")}`);
    const directory = mkdtempSync(join(tmpdir(), "mutants-"));
    try {
      return await runAll(selected, directory);
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
});

type Selected = { readonly file: string; readonly mutant: Mutant; readonly test: string };

function testOf(file: string): string {
  return `test/${file.replace(/\.ts$/, ".test.ts")}`;
}

async function runAll(selected: readonly Selected[], directory: string): Promise<number> {
  const copies = Array.from({ length: availableParallelism() }, (_, i) => join(directory, `copy-${i}`));
  for (const copy of copies) copyWithTests(copy);
  const tests = [...new Set(selected.map(({ test }) => test))];
  // A test that fails anyway would find every mistake.
  if (!(await passes(copies[0] ?? "", tests)))
    throw new CommandError("The tests fail without any mistake; see npm test.");

  const queue = selected.values();
  let survivors = 0;
  const work = async (copy: string) => {
    for (const { file, mutant, test } of queue) {
      const [mistake, text, replacement] = mutant;
      const path = join(copy, file);
      const original = readFileSync(path, "utf8");
      writeFileSync(
        path,
        original.replace(text, () => replacement),
      );
      const isFound = !(await passes(copy, [test]));
      writeFileSync(path, original);
      if (!isFound) survivors += 1;
      process.stdout.write(`${isFound ? "found    " : "NOT FOUND"} ${file}: ${mistake}\n`);
    }
  };
  await Promise.all(copies.map(work));
  process.stdout.write(`${selected.length - survivors} found, ${survivors} not found\n`);
  return survivors === 0 ? 0 : 1;
}

async function passes(copy: string, tests: readonly string[]): Promise<boolean> {
  const vitest =
    "node_modules/vitest/vitest.mjs run --config test/vitest.config.ts --root . --bail=1 --project";
  const args = [...vitest.split(" "), "!slow*", ...tests];
  const [code] = await once(spawn(process.execPath, args, { cwd: copy, stdio: "ignore" }), "exit");
  return code === 0;
}

function copyWithTests(directory: string): void {
  copyProject(directory);
  for (const name of [".nvmrc", "client", "docs", "test", "tsconfig.json"])
    cpSync(join(root, name), join(directory, name), { recursive: true });
}

/** Why a mistake can't be made; undefined if it can. Every test would find one that does not parse. */
function problemOf(file: string, [mistake, text, replacement, test]: Mutant): string | undefined {
  for (const path of [file, test ?? testOf(file)])
    if (!existsSync(join(root, path))) return `${file}: ${mistake}: there is no ${path}`;
  const original = readFileSync(join(root, file), "utf8");
  const count = original.split(text).length - 1;
  if (count !== 1) return `${file}: ${mistake}: has ${count} × ${text}`;
  try {
    stripTypeScriptTypes(original.replace(text, () => replacement));
    return undefined;
  } catch (error) {
    return `${file}: ${mistake}: ${error instanceof Error ? error.message : error}`;
  }
}
