import { styleText } from "node:util";
import type { ServedRequest } from "../api-gateway/gateway.ts";
import { isDiskFull } from "../disk-full.ts";
import type { LogLine } from "../log.ts";
import { type Entry, formatEntry, type LogLevel, logLevels, readEntry } from "../log-entry.ts";

const levelStyles = { DEBUG: "dim", INFO: "dim", WARN: "yellow", ERROR: "red", SILENT: "dim" } as const;
type Style = Parameters<typeof styleText>[0];

/** @param isJson whether lines are shown as CloudWatch gets them, without one of our own per request */
export function createTerminal(output: NodeJS.WritableStream, minimumLevel: LogLevel, isJson = false) {
  const color = (style: Style, text: string) => styleText(style, text, { stream: output });
  const print = (text: string) => output.write(`${text}\n`);
  let wasDiskFull = false;

  function showEntry(source: string, level: LogLevel, text: string, entry: Entry): void {
    if (isJson) print(text);
    else if (!isDiskFull({ message: JSON.stringify(entry.error) }))
      print(`[${source}] ${color(levelStyles[level], level)} ${formatEntry(entry)}`);
    else if (!wasDiskFull) {
      print(color("red", "The disk of the data is full: writing fails until there is space."));
      wasDiskFull = true;
    }
  }

  return {
    /** Shows structured lines as text if their level is high enough, and any other line unchanged. */
    showLine({ source, text }: LogLine): void {
      if (text === "") return;
      const { level, entry } = readEntry(text) ?? {};
      if (level === undefined) print(`[${source}] ${text}`);
      else if (logLevels.indexOf(level) >= logLevels.indexOf(minimumLevel))
        showEntry(source, level, text, entry ?? {});
    },

    /** The query is omitted, because that of a login may contain a password. */
    showRequest(served: ServedRequest): void {
      if (isJson) return;
      const { method, target, statusCode, milliseconds, capacityUnits: units, start } = served;
      const path = target.replace(/[?#].*$/s, "").replace(/[^\x21-\x7e]/g, "?");
      const status = statusCode >= 500 ? "red" : statusCode >= 400 ? "yellow" : "green";
      print(
        [
          method.padEnd(6),
          color(status, String(statusCode)),
          `${milliseconds.toFixed(0).padStart(5)} ms`,
          color(start === "cold" ? "cyan" : "dim", (start ?? "-").padEnd(4)),
          `${String(units).padStart(6)} ${units === 1 ? "unit " : "units"}`,
          path,
        ].join("  "),
      );
    },

    bold: (text: string) => color("bold", text),
  };
}
