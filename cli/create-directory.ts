import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a directory and those above it. Node's recursive `mkdir` never returns where no directory can be
 * created, such as below /proc.
 */
export function createDirectory(directory: string, mode = 0o777): void {
  if (existsSync(directory)) return;
  createDirectory(dirname(directory), mode);
  mkdirSync(directory, { mode });
}
