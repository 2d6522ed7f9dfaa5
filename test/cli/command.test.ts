import { describe, expect, it, vi } from "vitest";
import { type Command, runCommand } from "../../cli/command.ts";

const command = {
  name: "npm run it",
  description: "Does it.",
  options: {
    stage: { type: "choice", choices: ["dev", "prod"], isRequired: true, description: "the stage" },
    seconds: { type: "integer", min: 1, max: 60, default: 10, placeholder: "n", description: "duration" },
    "api-key": { type: "string", description: "a key" },
    yes: { type: "boolean", description: "do not ask" },
  },
  arguments: {
    url: { type: "url", isRequired: true, description: "URL of the service" },
    note: { type: "string", description: "any text" },
  },
} as const satisfies Partial<Command>;

/** Runs the command in this process, with what it has printed, the exit code and the values. */
async function run(line: string) {
  const { argv, exitCode } = process;
  const result = { output: "", errors: "", code: 0, values: undefined as unknown };
  const write = (stream: "output" | "errors") => (text: string | Uint8Array) => {
    result[stream] += String(text);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(write("output"));
  vi.spyOn(process.stderr, "write").mockImplementation(write("errors"));
  try {
    process.argv = ["node", "it.ts", ...(line === "" ? [] : line.split(" "))];
    process.exitCode = 0;
    await runCommand({
      ...command,
      async run(values) {
        result.values = values;
        return values.note === "fail" ? 1 : 0;
      },
    });
    return { ...result, code: process.exitCode };
  } finally {
    vi.restoreAllMocks();
    Object.assign(process, { argv, exitCode });
  }
}

const defaults = { stage: "dev", seconds: 10, yes: false };

describe("arguments", () => {
  it.each([
    [
      "--stage prod --seconds=20 --yes --api-key secret https://a.example x",
      "https://a.example",
      { stage: "prod", seconds: 20, "api-key": "secret", yes: true, note: "x" },
    ],
    ["--stage dev localhost:8080", "http://localhost:8080", defaults],
    // They may start with dashes after -- or =.
    [
      "--stage dev --api-key=-p -- localhost --note",
      "http://localhost",
      { ...defaults, "api-key": "-p", note: "--note" },
    ],
  ])("are parsed by their types, or have defaults: %s", async (line, url, values) => {
    const result = { output: "", errors: "", code: 0, values: { ...values, url: new URL(url) } };
    expect(await run(line)).toEqual(result);
  });

  it.each([
    ["", "Required option '--stage <value>' not specified."],
    ["--stage dev", "Missing required argument 'url'."],
    [
      "--stage test localhost",
      "Option '--stage <value>' argument 'test' is invalid. Allowed choices are dev, prod.",
    ],
    [
      "--stage dev ftp://a.example",
      "Command-argument value 'ftp://a.example' is invalid for argument 'url'. It must be an http or https URL.",
    ],
    ...["61", "0", "1e1", "-1", ""].map((text) => [
      `--stage dev localhost --seconds ${text}`,
      `Option '--seconds <n>' argument '${text}' is invalid. It must be a whole number from 1 to 60.`,
    ]),
    ["--stage dev localhost x y", "Too many arguments. Expected 2 arguments but got 3."],
    ["--stage dev localhost --secnds 1", "Unknown option '--secnds' (Did you mean --seconds?)"],
    ["--stage dev localhost --constructor", "Unknown option '--constructor'."],
    ["--stage dev localhost -x", "Unknown option '-x'."],
    ["--stage dev localhost --yes=no", "Unknown option '--yes=no' (Did you mean --yes?)"],
    ["localhost --stage", "Option '--stage <value>' argument missing."],
    ["--stage dev localhost --api-key --yes", "Option '--api-key <value>' argument missing."],
  ] as [string, string][])("are rejected: %j", async (line, message) => {
    const errors = `${message} See npm run it -- --help.\n`;
    expect(await run(line)).toEqual({ output: "", errors, code: 2, values: undefined });
  });
});

it("the exit code is the command's", async () => {
  expect(await run("--stage dev localhost fail")).toMatchObject({ code: 1, errors: "" });
});

it.each(["--help", "-h"])("%s shows the declared options and arguments", async (word) => {
  expect(await run(`x y z ${word} --seconds none`)).toEqual({
    ...{ code: 0, errors: "", values: undefined },
    output: [
      "Usage: npm run it -- --stage <value> [options] <url> [note]",
      "",
      "Does it.",
      "",
      "Arguments:",
      "  url                URL of the service",
      "  note               any text",
      "",
      "Options:",
      '  --stage <value>    the stage (choices: "dev", "prod")',
      "  --seconds <n>      duration (default: 10)",
      "  --api-key <value>  a key",
      "  --yes              do not ask",
      "  -h, --help         display help for command",
      "",
      "Exit codes: 0 success, 1 failure, 2 invalid usage.",
      "",
    ].join("\n"),
  });
});
