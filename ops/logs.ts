import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { CloudWatchLogsClient, paginateFilterLogEvents } from "@aws-sdk/client-cloudwatch-logs";
import { UsageError } from "../cli/errors.ts";
import { operatorClientConfig } from "../lib/aws.ts";
import { LOG_KEY_ID } from "../lib/construct-ids.ts";
import { pseudonymOf } from "../lib/log/who.ts";
import { parseJson } from "../lib/parse-json.ts";
import { runOperatorCommand } from "./operator-command.ts";
import { readSecretList } from "./secret-list.ts";
import type { StageResources } from "./stage.ts";

/** The texts that fields may have. */
type Filters = readonly (readonly [field: string, texts: readonly string[]])[];
/** Times are in milliseconds since 1970. */
type LogEvent = Readonly<{ time: number; text: string; line: Readonly<Record<string, unknown>> }>;
/** Reads at least the lines of a time that match. */
type Source = (from: number, to: number) => Promise<readonly LogEvent[]>;

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const FOLLOW_PAUSE_MS = 2_000;
/** CloudWatch gets a line up to this late. */
const LATE_MS = 60_000;
const time = { type: "string", placeholder: "time" } as const;

await runOperatorCommand({
  name: "logs",
  description:
    "Prints the log lines of requests, the oldest first. Lines of the gateway have the client's address.",
  options: {
    account: {
      type: "string",
      description:
        "a username, even of a failed login (- for one that is not valid); or key: with a static key's name or id",
    },
    address: { type: "string", description: "the client's address" },
    request: { type: "string", placeholder: "id", description: "the response's X-Request-Id" },
    route: { type: "string", description: 'such as "GET /todos/{id}"; or unmatched' },
    status: { type: "integer", min: 100, max: 599, description: "such as 401" },
    since: { ...time, description: "15m, 2h, 7d, or a time such as 2026-11-21T09:30:00Z (default: 1h)" },
    until: { ...time, description: "likewise (default: now)" },
    follow: { type: "boolean", description: "go on with new lines, until Ctrl-C" },
  },
  check({ follow, until }) {
    if (follow && until !== undefined) throw new UsageError("--follow and --until exclude each other.");
  },
  async run({ account, address, request, route, status, since, until, follow }, context) {
    const { stage, print } = context;
    const keys = stage.hasSecret(LOG_KEY_ID) ? (await readSecretList(stage, LOG_KEY_ID)).values : [];
    const shown = (text?: string) => text && [text, ...keys.map((key) => pseudonymOf(text, key))];
    const filters = Object.entries({
      account: shown(account),
      sourceIp: shown(address),
      requestId: request && [request],
      route: route && [route],
      status: status && [String(status)],
    }).flatMap(([field, texts]): Filters => (texts ? [[field, texts]] : []));
    const read = stage.logFiles ? inFiles(stage.logFiles) : inCloudWatch(stage, filters);
    const times = [readTime("since", since ?? "1h"), until ? readTime("until", until) : Infinity] as const;
    // The directives of metrics say nothing of the request.
    for await (const { time, line } of eventsOf(read, filters, times, follow))
      print(JSON.stringify({ timestamp: new Date(time).toISOString(), ...line, _aws: undefined }));
  },
});

async function* eventsOf(
  read: Source,
  filters: Filters,
  [from, to]: readonly [number, number],
  follow: boolean,
): AsyncGenerator<LogEvent> {
  let earlier = new Set<string>();
  for (let start = from; ; start = Math.max(from, Date.now() - LATE_MS)) {
    const events = (await read(start, to)).filter(
      ({ time, line }) => time >= start && time <= to && matches(line, filters),
    );
    yield* events.filter((event) => !earlier.has(idOf(event))).sort((a, b) => a.time - b.time);
    if (!follow) return;
    earlier = new Set(events.map(idOf));
    await sleep(FOLLOW_PAUSE_MS);
  }
}

/** @throws {UsageError} */
function readTime(option: string, text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const time = count === undefined ? Date.parse(text) : Date.now() - Number(count) * (UNIT_MS[unit] ?? 0);
  if (!Number.isNaN(time)) return time;
  throw new UsageError(
    `--${option} must be a time such as 15m, 2h, 7d or 2026-11-21T09:30:00Z, not "${text}".`,
  );
}

/** Emulators give no ids to events. */
function idOf({ time, text }: LogEvent): string {
  return `${time} ${text}`;
}

/** A batch of registrations has several accounts. */
function matches(line: LogEvent["line"], filters: Filters): boolean {
  return filters.every(([field, texts]) =>
    String(line[field] ?? "")
      .split(",")
      .some((each) => texts.includes(each)),
  );
}

/** The log groups of all functions and of the gateway. */
function inCloudWatch(stage: StageResources, filters: Filters): Source {
  const groups = Object.values(stage.stack("").ofType("AWS::Logs::LogGroup"));
  const client = new CloudWatchLogsClient(operatorClientConfig);
  return async (startTime, to) => {
    const events: LogEvent[] = [];
    const common = { startTime, ...(to < Infinity && { endTime: to }), filterPattern: patternOf(filters) };
    for (const logGroupName of groups) {
      const input = { ...common, logGroupName };
      for await (const page of paginateFilterLogEvents({ client }, input))
        for (const { timestamp: time = 0, message: text = "" } of page.events ?? [])
          events.push({ time, text, line: lineOf(text) });
    }
    return events;
  };
}

/** A pattern that matches at least what the filters do. The functions' status is a number, the gateway's a text. */
function patternOf(filters: Filters): string | undefined {
  const terms = filters.flatMap(([field, texts]) => {
    const values = texts.flatMap((text) => (field === "status" ? [text, `"${text}"`] : [`"*${text}*"`]));
    // Patterns have no documented escape.
    if (texts.some((text) => /["\\]/.test(text))) return [];
    return [`(${values.map((value) => `($.${field} = ${value})`).join(" || ")})`];
  });
  return terms.length === 0 ? undefined : `{ ${terms.join(" && ")} }`;
}

function inFiles(files: readonly string[]): Source {
  return async () => {
    const texts = files.filter(existsSync).flatMap((file) => readFileSync(file, "utf8").trim().split("\n"));
    return texts.map((text) => {
      const line = lineOf(text);
      return { time: Date.parse(String(line.timestamp)), text, line };
    });
  };
}

/** A line that is no JSON, such as one that a crash cut off, has its text as message. */
function lineOf(text: string): LogEvent["line"] {
  return Object(parseJson(text) ?? { message: text });
}
