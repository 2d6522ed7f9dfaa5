import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Copies the files that run the service, so that a test may break them.
 *
 * @param directory must not exist
 */
export function copyProject(directory: string): void {
  for (const name of ["cli", "functions", "infra", "lib", "local", "ops", "cdk.json", "package.json"])
    cpSync(join(root, name), join(directory, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
}

/**
 * Copies every file of the project that git knows or would add into a repository of its own, so that a test may change them.
 *
 * @param directory must not exist
 */
export function copyWholeProject(directory: string): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
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
