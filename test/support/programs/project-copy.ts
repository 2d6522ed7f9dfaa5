import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { codeBlocksOf } from "../markdown.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Copies the files that run the service to a new directory, so that a test may break them. */
export function copyProject(directory: string): void {
  for (const name of ["cli", "functions", "infra", "lib", "local", "ops", "cdk.json", "package.json"])
    cpSync(join(root, name), join(directory, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
}

/** Copies each file that git knows or would add into a repository in a new directory, so that a test may change them. */
export function copyWholeProject(directory: string): void {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8" });
  for (const name of new Set(listed.split("\0")))
    if (name !== "" && existsSync(join(root, name)))
      cpSync(join(root, name), join(directory, name), { verbatimSymlinks: true });
  // A folder of its own, because the project keeps caches in it.
  mkdirSync(join(directory, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== ".cache")
      symlinkSync(join(root, "node_modules", name), join(directory, "node_modules", name));
  execFileSync("git", ["init", "-q"], { cwd: directory });
  execFileSync("git", ["add", "--all"], { cwd: directory });
}

/** As `copyWholeProject`, with the areas and the role that docs/your-own-service.md adds in its step 2, unless it has them. */
export function copyWithExampleAreas(directory: string): void {
  copyWholeProject(directory);
  if (existsSync(join(directory, "functions/rooms"))) return;
  const blocks = codeBlocksOf(join(root, "docs/your-own-service.md"), "sh");
  const commands = blocks.find((block) => block.includes("cp -r examples/rooms"));
  if (commands === undefined) throw new Error("docs/your-own-service.md copies no example");
  shell(directory, commands);
}

/** Runs commands with bash in a copy. @returns what they print @throws Error with that, if one fails */
export function shell(directory: string, commands: string): string {
  const { VITEST: _, NODE_COMPILE_CACHE: __, ...outer } = process.env;
  const options = { cwd: directory, encoding: "utf8", env: { ...outer, NO_COLOR: "1" } } as const;
  const { status, stdout } = spawnSync("bash", ["-ec", `exec 2>&1\n${commands}`], options);
  if (status !== 0) throw new Error(stdout);
  return stdout;
}
