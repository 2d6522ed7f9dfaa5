import { describe, expect, it } from "vitest";
import { helpText } from "../../cli/help.ts";
import { type Arguments, type Options, parseArguments } from "../../cli/parameters.ts";

const options = {
  stage: { type: "choice", choices: ["dev", "prod"], isRequired: true, description: "the stage" },
  seconds: { type: "integer", min: 1, max: 60, default: 10, placeholder: "n", description: "duration" },
  password: { type: "string", variable: "PASSWORD", description: "the password" },
  yes: { type: "boolean", short: "y", description: "do not ask" },
} as const satisfies Options;
const args = {
  url: { type: "url", isRequired: true, description: "URL of the service" },
  note: { type: "string", description: "any text" },
} as const satisfies Arguments;

const parse = (words: readonly string[], environment = {}) =>
  parseArguments(options, args, words, environment);

describe("arguments", () => {
  it("are parsed by their types", () => {
    const words = ["--stage", "prod", "--seconds=20", "-y", "--password", "secret", "https://a.example", "x"];

    expect(parse(words)).toEqual({
      stage: "prod",
      seconds: 20,
      password: "secret",
      yes: true,
      url: new URL("https://a.example"),
      note: "x",
    });
  });

  it("have defaults, from variables too", () => {
    expect(parse(["--stage", "dev", "localhost:8080"], { PASSWORD: "secret" })).toEqual({
      stage: "dev",
      seconds: 10,
      password: "secret",
      yes: false,
      url: new URL("http://localhost:8080"),
      note: undefined,
    });
    expect(parse(["--stage", "dev", "localhost"], { PASSWORD: "" })).toMatchObject({ password: undefined });
  });

  it("may start with dashes after -- or =", () => {
    expect(parse(["--stage", "dev", "--password=-p", "--", "localhost", "--note"])).toMatchObject({
      password: "-p",
      note: "--note",
    });
  });

  it.each(["--help", "-h"])("ask for help: %s", (word) => {
    expect(parse([word, "--seconds", "none"])).toBeUndefined();
  });

  it.each([
    [[], "Missing --stage <dev|prod>."],
    [["--stage", "dev"], "Missing <url>."],
    [["--stage", "test", "localhost"], '--stage must be dev or prod, not "test".'],
    [["--stage", "dev", "ftp://a.example"], '<url> must be an http or https URL, not "ftp://a.example".'],
    [
      ["--stage", "dev", "localhost", "--seconds", "61"],
      '--seconds must be a whole number from 1 to 60, not "61".',
    ],
    [
      ["--stage", "dev", "localhost", "--seconds", "1e1"],
      '--seconds must be a whole number from 1 to 60, not "1e1".',
    ],
    [
      ["--stage", "dev", "localhost", "--seconds", "-1"],
      '--seconds must be a whole number from 1 to 60, not "-1".',
    ],
    [["localhost", "x", "y"], 'Unexpected argument "y".'],
    [["--fast"], "Unknown option --fast."],
    [["--constructor"], "Unknown option --constructor."],
    [["-x"], "Unknown option -x."],
    [["--stage"], "--stage needs a value."],
    [["--password", "--yes"], "--password needs a value."],
    [["--yes=no"], "--yes takes no value."],
  ])("are rejected: %j", (words, message) => {
    expect(() => parse(words)).toThrow(expect.objectContaining({ name: "UsageError", message }));
  });
});

it("a help text is generated from the declared options and arguments", () => {
  const variables = { HOST: `${"a".repeat(60)} ${"b".repeat(60)}` };

  expect(helpText({ name: "npm run it", description: "Does it.", options, arguments: args, variables })).toBe(
    [
      "Usage: npm run it -- --stage <dev|prod> <url> [<note>] [options]",
      "",
      "Does it.",
      "",
      "Arguments:",
      "  <url>   URL of the service",
      "  <note>  any text",
      "",
      "Options:",
      "  --stage <dev|prod>  the stage",
      "  --seconds <n>       duration (default: 10)",
      "  --password <value>  the password (or the variable PASSWORD)",
      "  -y, --yes           do not ask",
      "  -h, --help          show this help",
      "",
      "Environment variables:",
      `  HOST  ${"a".repeat(60)}`,
      `        ${"b".repeat(60)}`,
      "",
      "Exit codes: 0 success, 1 failure, 2 invalid usage.",
      "",
    ].join("\n"),
  );
});
