import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServedRequest } from "../../../local/api-gateway/gateway.ts";
import { createTerminal, type LogLevel } from "../../../local/cli/terminal.ts";

// What tells Node how many colours a terminal has, so that the terminal of a test is the same everywhere.
const colourVariables = [
  ...["FORCE_COLOR", "NO_COLOR", "NODE_DISABLE_COLORS", "COLORTERM", "TMUX"],
  ...["CI", "TF_BUILD", "TEAMCITY_VERSION", "TERM_PROGRAM"],
];

beforeEach(() => {
  for (const name of colourVariables) vi.stubEnv(name, undefined);
  vi.stubEnv("TERM", "xterm-256color");
});
afterEach(() => vi.unstubAllEnvs());

/** What a terminal shows of something; a file unless it is told to be a terminal. */
function shown(
  act: (terminal: ReturnType<typeof createTerminal>) => void,
  { least = "WARN", isTTY = false }: { least?: LogLevel; isTTY?: boolean } = {},
): string {
  const output = Object.assign(new PassThrough(), {
    isTTY,
    getColorDepth: WriteStream.prototype.getColorDepth,
  });
  act(createTerminal(output, least));
  return output.read()?.toString() ?? "";
}

const entry = {
  level: "ERROR",
  message: "request failed",
  timestamp: "2026-01-01T00:00:00.000Z",
  service: "orders",
  cold_start: true,
  function_arn: "arn",
  function_memory_size: "1024",
  function_name: "orders",
  function_request_id: "id",
  route: "POST /orders",
  status: 500,
};
const line = (changes: object, text = JSON.stringify({ ...entry, ...changes })) => ({
  source: "Orders",
  text,
});

describe("a log line", () => {
  it("is shown as it is when it is no JSON log line", () => {
    for (const text of ["plain", "{ not JSON", '{"some":"JSON"}', "[1]"])
      expect(shown((terminal) => terminal.showLine({ source: "Todos", text }))).toBe(`[Todos] ${text}\n`);
  });

  it("is left out when it is empty, or metrics", () => {
    for (const text of ["", '{"_aws":{},"level":"ERROR"}'])
      expect(shown((terminal) => terminal.showLine({ source: "Todos", text }))).toBe("");
  });

  it.each([
    ["DEBUG", ["DEBUG", "INFO", "WARN", "ERROR"]],
    ["INFO", ["INFO", "WARN", "ERROR"]],
    ["WARN", ["WARN", "ERROR"]],
    ["ERROR", ["ERROR"]],
    ["SILENT", []],
  ] as const)("of at least the level %s is shown", (least, expected) => {
    const seen = ["DEBUG", "INFO", "WARN", "ERROR"].filter(
      (level) => shown((terminal) => terminal.showLine(line({ level })), { least }) !== "",
    );

    expect(seen).toEqual(expected);
  });

  it("reads like a text: the message, what belongs to it, and the error with its causes", () => {
    const error = {
      name: "Failure",
      message: "unavailable",
      stack: `Failure: unavailable\n    at a (/data/assembly/asset.${"0".repeat(64)}/lib/a.ts:1:2)`,
      cause: { name: "TimeoutError", message: "too slow", stack: "    at b (lib/b.ts:3:4)" },
    };

    expect(shown((terminal) => terminal.showLine(line({ error, extra: { a: 1 } })))).toBe(
      [
        '[Orders] ERROR request failed  route=POST /orders  status=500  extra={"a":1}',
        "  Failure: unavailable",
        "      at a (lib/a.ts:1:2)",
        "  because of TimeoutError: too slow",
        "      at b (lib/b.ts:3:4)",
        "",
      ].join("\n"),
    );
  });

  it("can have an error without a stack", () => {
    const error = { name: "Error", message: "odd", cause: "text" };

    expect(shown((terminal) => terminal.showLine(line({ error })))).toMatch(/status=500\n {2}Error: odd\n$/);
  });
});

describe("a request", () => {
  const request: ServedRequest = {
    method: "GET",
    target: "/todos/1",
    statusCode: 200,
    milliseconds: 3.4,
    capacityUnits: 1,
    start: "warm",
  };
  const requests: ServedRequest[] = [
    request,
    { ...request, method: "DELETE", milliseconds: 12_345, capacityUnits: 12.5, start: "cold" },
    { ...request, method: "PUT", statusCode: 404, milliseconds: 0, capacityUnits: 0 },
  ];

  it("is one line, with its columns where the other lines have them", () => {
    expect(shown((terminal) => requests.forEach(terminal.showRequest))).toBe(
      [
        "GET     200      3 ms  warm       1 unit   /todos/1",
        "DELETE  200  12345 ms  cold    12.5 units  /todos/1",
        "PUT     404      0 ms  warm       0 units  /todos/1",
        "",
      ].join("\n"),
    );
  });

  it("that no function answered is neither cold nor warm", () => {
    const { start: _, ...unanswered } = request;

    expect(shown((terminal) => terminal.showRequest(unanswered))).toContain("3 ms  -   ");
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

  it("is coloured on a terminal alone, and not where NO_COLOR is set", () => {
    const show = (isTTY: boolean) =>
      shown((terminal) => terminal.showRequest({ ...request, statusCode: 500 }), { isTTY });

    expect(show(true)).toContain("\u001b[31m500\u001b[39m");
    expect(show(false)).not.toContain("\u001b");
    vi.stubEnv("NO_COLOR", "1");
    expect(show(true)).not.toContain("\u001b");
  });
});
