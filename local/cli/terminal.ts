import { styleText } from "node:util";
import { parseJson } from "../../infra/documentation/parse-json.ts";
import type { ServedRequest } from "../api-gateway/gateway.ts";
import { isDiskFull } from "../disk-full.ts";
import { isObject } from "../json.ts";
import type { LogLine } from "../log.ts";
import { projectRoot } from "../stack/assembly-cache.ts";

const levelStyles = { DEBUG: "dim", INFO: "dim", WARN: "yellow", ERROR: "red", SILENT: "dim" } as const;
export type LogLevel = keyof typeof levelStyles;
export const logLevels = Object.keys(levelStyles) as LogLevel[];

type Style = Parameters<typeof styleText>[0];

/** Fields of every structured log line, of no use on a terminal. */
const commonKeys = new Set([
  ...["level", "message", "timestamp", "service", "cold_start", "function_name"],
  ...["function_request_id", "error", "ColdStart", "clientErrors", "serverErrors", "_aws"],
]);

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
      // Every request that writes fails then.
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

type Entry = Readonly<Record<string, unknown>>;

/** A structured line of a function's log; undefined for any other line. */
export function readEntry(text: string): { readonly level: LogLevel; readonly entry: Entry } | undefined {
  const entry = text.startsWith("{") ? parseJson(text) : undefined;
  const level = isObject(entry) ? logLevels.find((each) => each === entry.level) : undefined;
  return level && { level, entry: entry as Entry };
}

/** A line of a log as text without colours. */
export function formatLine({ source, text }: LogLine) {
  const { level, entry } = readEntry(text) ?? {};
  return {
    text: `[${source}] ${entry ? `${level} ${formatEntry(entry)}` : text}`,
    isError: level === "ERROR",
  };
}

/** The message with the other fields in one line, then the error with its stack and its causes. */
function formatEntry(entry: Entry): string {
  const details = Object.entries(entry)
    .filter(([name]) => !commonKeys.has(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [[String(entry.message), ...details].join("  "), ...errorLines(entry.error, "")].join("\n");
}

function errorLines(error: unknown, prefix: string): string[] {
  if (!isObject(error)) return [];
  const { name, message, stack, cause } = error;
  const title = `${name}: ${message}`;
  const trace = String(stack ?? title).replaceAll(projectRoot, "");
  const lines = [...(trace.includes(String(message)) ? [] : [title]), ...trace.split("\n")];
  return [
    ...lines.map((line, i) => `  ${i === 0 ? prefix : ""}${line}`),
    ...errorLines(cause, "Caused by: "),
  ];
}
