import { parseJson } from "../lib/parse-json.ts";
import { isObject } from "./json.ts";
import type { LogLine } from "./log.ts";
import { projectRoot } from "./stack/assembly-cache.ts";

export const logLevels = ["DEBUG", "INFO", "WARN", "ERROR", "SILENT"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Fields of every structured log line, of no use on a terminal. */
const commonKeys = new Set([
  ...["level", "message", "timestamp", "service", "cold_start", "function_name"],
  ...["function_request_id", "error", "ColdStart", "clientErrors", "serverErrors", "_aws"],
]);

export type Entry = Readonly<Record<string, unknown>>;

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
export function formatEntry(entry: Entry): string {
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
