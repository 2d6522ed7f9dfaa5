import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Copies the files that run the service, so that a test may break them.
 *
 * @param directory must not exist
 */
export function copyProject(directory: string): void {
  for (const name of ["cli", "functions", "infra", "lib", "local", "ops", "package.json"])
    cpSync(join(root, name), join(directory, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
}
