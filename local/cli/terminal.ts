import { styleText } from "node:util";
import type { ServedRequest } from "../api-gateway/gateway.ts";
import type { LogLine } from "../log.ts";

/** How grave a line of the functions' log is, the least grave first. SILENT is graver than any line. */
export const logLevels = ["DEBUG", "INFO", "WARN", "ERROR", "SILENT"] as const;
export type LogLevel = (typeof logLevels)[number];

type Style = Parameters<typeof styleText>[0];

/** Where lines are shown. */
export interface Output {
  write(text: string): unknown;
}

/** What a structured log line says in every line, and nobody reads on a terminal. */
const ordinaryKeys = new Set([
  ...["level", "message", "timestamp", "service", "sampling_rate", "xray_trace_id", "cold_start"],
  ...["function_arn", "function_memory_size", "function_name", "function_request_id", "error"],
]);

/**
 * Shows what happens on a terminal.
 *
 * @param output standard output, which is coloured if it is a terminal and NO_COLOR is not set
 * @param least what is shown of the functions' log
 */
export function createTerminal(output: Output & NodeJS.WritableStream, least: LogLevel) {
  const colour = (style: Style, text: string) => styleText(style, text, { stream: output });
  const say = (text: string) => output.write(`${text}\n`);

  return {
    say,

    /**
     * Shows a line of the log. Metrics in CloudWatch's embedded format are left out: they are for a machine. What
     * is structured is shown if it is grave enough, as text; anything else as it is.
     */
    showLine({ source, text }: LogLine): void {
      const entry = text.startsWith("{") ? parseObject(text) : undefined;
      if (text === "" || (entry !== undefined && "_aws" in entry)) return;
      const level = logLevels.find((each) => each === entry?.level);
      if (entry === undefined || level === undefined) say(`[${source}] ${text}`);
      else if (logLevels.indexOf(level) >= logLevels.indexOf(least)) {
        const [first = "", ...more] = readable(entry);
        say([`[${source}] ${colour(styleOf[level], level)} ${first}`, ...more].join("\n"));
      }
    },

    /**
     * Shows an answered request: method, status, time, cold or warm start, the DynamoDB capacity units that it
     * consumed, and the path. The query is left out: a login can have a password there.
     */
    showRequest({
      method,
      target,
      statusCode,
      milliseconds,
      capacityUnits: units,
      start,
    }: ServedRequest): void {
      const path = target.replace(/[?#].*$/s, "").replace(/[^\x21-\x7e]/g, "?");
      const status = statusCode >= 500 ? "red" : statusCode >= 400 ? "yellow" : "green";
      say(
        [
          method.padEnd(6),
          colour(status, String(statusCode)),
          `${milliseconds.toFixed(0).padStart(5)} ms`,
          colour(start === "cold" ? "cyan" : "dim", (start ?? "-").padEnd(4)),
          `${String(units).padStart(6)} ${units === 1 ? "unit " : "units"}`,
          path,
        ].join("  "),
      );
    },

    /** Sets off what matters in a text. */
    strong: (text: string) => colour("bold", text),
  };
}

const styleOf: Readonly<Record<LogLevel, Style>> = {
  DEBUG: "dim",
  INFO: "dim",
  WARN: "yellow",
  ERROR: "red",
  SILENT: "dim",
};

type Entry = Readonly<Record<string, unknown>>;

/** The message and what belongs to it in one line, then the error with its stack and its causes. */
function readable(entry: Entry): string[] {
  const details = Object.entries(entry)
    .filter(([name]) => !ordinaryKeys.has(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [[String(entry.message), ...details].join("  "), ...errorLines(entry.error, "")];
}

function errorLines(error: unknown, prefix: string): string[] {
  if (!isEntry(error)) return [];
  const { name, message, stack, cause } = error;
  const title = `${name}: ${message}`;
  // Where the bundle was copied to is of no interest: what follows names the source.
  const trace = String(stack ?? title).replaceAll(/(?:file:\/\/)?\/\S*\/asset\.[0-9a-f]{64}\//g, "");
  // Some stacks begin with their frames alone.
  const lines = [...(trace.includes(String(message)) ? [] : [title]), ...trace.split("\n")];
  return [
    ...lines.map((line, i) => `  ${i === 0 ? prefix : ""}${line}`),
    ...errorLines(cause, "because of "),
  ];
}

function parseObject(text: string): Entry | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isEntry(parsed) ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
