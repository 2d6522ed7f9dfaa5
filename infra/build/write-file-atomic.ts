import { renameSync, writeFileSync } from "node:fs";

/**
 * Writes a file whole or not at all: whoever finds it later, after a run that was killed too, may rely on it.
 *
 * @param file its path
 * @param content what it will hold; another content is replaced
 */
export function writeFileAtomic(file: string, content: string | Uint8Array): void {
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, file);
}
