import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Even if this process is killed, readers find the old or the new content. */
export function writeFileAtomic(file: string, content: string | Uint8Array, mode = 0o666): void {
  const partial = `${file}.partial`;
  // What an interrupted write has left may have other permissions, or be a link.
  rmSync(partial, { force: true });
  writeFileSync(partial, content, { mode, flag: "wx" });
  renameSync(partial, file);
}
