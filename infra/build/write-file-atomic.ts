import { renameSync, writeFileSync } from "node:fs";

/** Writes a file so that it never has partial content, even after a crash. */
export function writeFileAtomic(file: string, content: string | Uint8Array): void {
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, file);
}
