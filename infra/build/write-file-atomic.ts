import { renameSync, writeFileSync } from "node:fs";

/**
 * Writes or replaces a file atomically: even if this process is killed, readers find the old or the new content.
 *
 * @param mode the file's permissions; by default those of a new file
 */
export function writeFileAtomic(file: string, content: string | Uint8Array, mode = 0o666): void {
  const partial = `${file}.partial`;
  writeFileSync(partial, content, { mode });
  renameSync(partial, file);
}
