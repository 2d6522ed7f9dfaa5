import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../cli/errors.ts";
import type { LogLine, LogSink } from "./log.ts";

const MAX_BYTES = 10 * 2 ** 20;

export const logFiles = ["log.jsonl.old", "log.jsonl"] as const;

/** Passes lines on, and keeps the newest 10 to 20 MB of the functions' in the data directory. */
export function createLogFile(directory: string, log: LogSink, maxBytes = MAX_BYTES) {
  const [older, newer] = [join(directory, logFiles[0]), join(directory, logFiles[1])];
  let file: number | undefined = openSync(newer, "a", 0o600);
  let bytes = fstatSync(file).size;

  function append(text: string): void {
    if (file === undefined) return;
    if (bytes >= maxBytes) {
      closeSync(file);
      renameSync(newer, older);
      file = openSync(newer, "a", 0o600);
      bytes = 0;
    }
    bytes += writeSync(file, `${text}\n`);
  }

  return {
    log(line: LogLine): void {
      log(line);
      try {
        if (line.text.startsWith("{")) append(line.text);
      } catch (error) {
        file = undefined;
        log({ source: "log", text: `npm run logs will show no further lines: ${messageOf(error)}` });
      }
    },
    close(): void {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
