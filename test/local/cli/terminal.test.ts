import { resolve } from "node:path";
import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServedRequest } from "../../../local/api-gateway/gateway.ts";
import { createTerminal } from "../../../local/cli/terminal.ts";
import type { LogLevel } from "../../../local/log-entry.ts";
import { servedRequest as request } from "../../support/data/served-request.ts";

// The variables that Node reads to detect color support, so that the tests do not depend on the environment.
const colorVariables = [
  ...["FORCE_COLOR", "NO_COLOR", "NODE_DISABLE_COLORS", "COLORTERM", "TMUX"],
  ...["CI", "TF_BUILD", "TEAMCITY_VERSION", "TERM_PROGRAM"],
];

beforeEach(() => {
  for (const name of colorVariables) vi.stubEnv(name, undefined);
  vi.stubEnv("TERM", "xterm-256color");
});
afterEach(() => vi.unstubAllEnvs());

function shown(
  act: (terminal: ReturnType<typeof createTerminal>) => void,
  { level = "WARN", isTTY = false }: { level?: LogLevel; isTTY?: boolean } = {},
): string {
  const output = Object.assign(new PassThrough(), {
    isTTY,
    getColorDepth: WriteStream.prototype.getColorDepth,
  });
  act(createTerminal(output, level));
  return output.read()?.toString() ?? "";
}

const entry = {
  ...{ level: "ERROR", message: "request failed", timestamp: "2026-01-01T00:00:00.000Z", service: "orders" },
  ...{ cold_start: true, ColdStart: 1, serverErrors: 1, _aws: { Timestamp: 0, CloudWatchMetrics: [] } },
  ...{ function_name: "orders", function_request_id: "id", route: "POST /orders", status: 500 },
};
const line = (changes: object) => ({ source: "Orders", text: JSON.stringify({ ...entry, ...changes }) });

describe("a log line", () => {
  it("is shown unchanged if it is not structured", () => {
    for (const text of ["plain", "{ not JSON", '{"some":"JSON"}', "[1]"])
      expect(shown((terminal) => terminal.showLine({ source: "Todos", text }))).toBe(`[Todos] ${text}\n`);
  });

  it("says once that the disk is full, instead of a stack for each request", () => {
    const cause = { message: "commit failed (backend: database or disk is full)" };
    const error = { name: "ApiError", cause };
    expect(shown((terminal) => [1, 2].map(() => terminal.showLine(line({ error }))))).toBe(
      "The disk of the data is full: writing fails until there is space.\n",
    );
  });

  it("is shown as in the cloud, without a line per request, if the format is JSON", () => {
    const output = new PassThrough();
    const terminal = createTerminal(output, "INFO", true);
    terminal.showLine(line({}));
    terminal.showLine(line({ level: "DEBUG" }));
    terminal.showRequest(request);
    expect(output.read()?.toString()).toBe(`${JSON.stringify(entry)}\n`);
  });

  it.each([
    ["DEBUG", ["DEBUG", "INFO", "WARN", "ERROR"]],
    ["INFO", ["INFO", "WARN", "ERROR"]],
    ["WARN", ["WARN", "ERROR"]],
    ["ERROR", ["ERROR"]],
    ["SILENT", []],
  ] as const)("is shown from the level %s up", (minimumLevel, expected) => {
    const levels = ["DEBUG", "INFO", "WARN", "ERROR"].filter(
      (level) => shown((terminal) => terminal.showLine(line({ level })), { level: minimumLevel }) !== "",
    );
    expect(levels).toEqual(expected);
  });

  it("is formatted as text: the message with its fields, and the error with its causes", () => {
    const error = {
      name: "ApiError",
      message: "unavailable",
      stack: `ApiError: unavailable\n    at a (${resolve("lib/a.ts")}:1:2)`,
      cause: { name: "TimeoutError", message: "too slow", stack: "    at b (lib/b.ts:3:4)" },
    };
    expect(shown((terminal) => terminal.showLine(line({ error, extra: { a: 1 } })))).toBe(
      [
        '[Orders] ERROR request failed  route=POST /orders  status=500  extra={"a":1}',
        "  ApiError: unavailable",
        "      at a (lib/a.ts:1:2)",
        "  Caused by: TimeoutError: too slow",
        "      at b (lib/b.ts:3:4)",
        "",
      ].join("\n"),
    );
  });
});

describe("a request", () => {
  const { start: _, ...withoutFunction } = request;
  const requests: ServedRequest[] = [
    request,
    { ...request, method: "DELETE", milliseconds: 12_345, capacityUnits: 12.5, start: "cold" },
    { ...withoutFunction, method: "PUT", statusCode: 404, milliseconds: 0, capacityUnits: 0 },
  ];

  it("is one line with aligned columns", () => {
    expect(shown((terminal) => requests.forEach(terminal.showRequest))).toBe(
      [
        "GET     200      3 ms  warm       1 unit   /todos/1",
        "DELETE  200  12345 ms  cold    12.5 units  /todos/1",
        "PUT     404      0 ms  -          0 units  /todos/1",
        "",
      ].join("\n"),
    );
  });

  it.each([
    "/auth/login?username=ada&password=Secret1",
    "/auth/login#Secret1",
    "/auth/login\u001b[2J?Secret1",
  ])("shows neither a query nor control characters: %j", (target) => {
    const text = shown((terminal) => terminal.showRequest({ ...request, target }));
    expect(text).not.toContain("Secret1");
    expect(text).not.toContain("\u001b");
    expect(text).toContain("/auth/login");
  });

  it("is colored on a terminal only, unless NO_COLOR is set", () => {
    const show = (isTTY: boolean) =>
      shown((terminal) => terminal.showRequest({ ...request, statusCode: 500 }), { isTTY });
    expect(show(true)).toContain("\u001b[31m500\u001b[39m");
    expect(show(false)).not.toContain("\u001b");
    vi.stubEnv("NO_COLOR", "1");
    expect(show(true)).not.toContain("\u001b");
  });
});
