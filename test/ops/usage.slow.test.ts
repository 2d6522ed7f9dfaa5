import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { synthesizedApp } from "../support/infra/assembly.ts";
import { type CommandName, localOperator, operatorHere, runHere } from "../support/programs/operator.ts";
import { runProgram } from "../support/programs/program.ts";
import { startProgram } from "../support/programs/started.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const commands = {
  account: ["--username", "ada"],
  person: ["export", "ada"],
  seed: [],
  key: ["list"],
  logs: [],
  rotate: [],
  repair: [],
  restore: ["--to", "2026-11-21T09:30:00Z"],
  stop: [],
  export: ["backup"],
  import: ["backup"],
} as const satisfies Record<CommandName, readonly string[]>;
const names = Object.keys(commands) as CommandName[];

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory(onTestFinished);
});

const failed = (code: number, errors: string) => ({ code, output: "", errors: `${errors}\n` });
const see = (name: string) => `See npm run ${name} -- --help.`;

describe.each(names)("npm run %s", (name) => {
  it("has a help text", async () => {
    const { code, output, errors } = await runHere(name, ["--help"]);
    expect([code, errors]).toEqual([0, ""]);
    expect(output.startsWith(`Usage: npm run ${name} -- --stage <name>`)).toBe(true);
    expect(output).toContain("Exit codes: 0 success, 1 failure, 2 invalid usage.");
    expect(output.split("\n").filter((line) => line.length > 120)).toEqual([]);
  });

  it("fails if no local run uses the data directory", async () => {
    const message = `No local run uses ${directory}: start one with npm start, or set DATA_DIR.`;
    expect(await localOperator(directory)(name, commands[name])).toEqual(failed(1, message));
  });
});

describe("a command", () => {
  const region = { AWS_REGION: "us-east-1", AWS_EC2_METADATA_DISABLED: "true" };
  const credentials = { AWS_ACCESS_KEY_ID: "any", AWS_SECRET_ACCESS_KEY: "any" };
  const unreachable = { AWS_ENDPOINT_URL: "http://127.0.0.1:1" };
  const noProfile = { AWS_CONFIG_FILE: "/dev/null", AWS_SHARED_CREDENTIALS_FILE: "/dev/null" };

  it.each([
    ["there is no region", credentials, "Missing AWS region: set AWS_REGION or choose a profile."],
    ["no credentials", region, "CredentialsProviderError: Could not load credentials from any providers"],
    ["AWS is unreachable", { ...region, ...credentials }, "AWS is unreachable or overloaded: ECONNREFUSED"],
  ])("reports in one line that %s", async (_, variables, message) => {
    const environment = { ...noProfile, ...unreachable, ...variables };
    expect(await runProgram("ops/seed.ts", ["--stage", "dev"], { environment })).toEqual(failed(1, message));
  });

  it.each([
    [[], "Required option '--stage <name>' not specified."],
    [["--stage", "test"], '--stage must be dev, prod, local, or a name such as dev-alice, not "test".'],
  ])("rejects the arguments %j", async (args, message) => {
    expect(await runHere("seed", args)).toEqual(failed(2, `${message} ${see("seed")}`));
  });

  it("can't operate an in-memory run", async () => {
    const message = "A local run with DATA_DIR=memory can't be operated: start it with a directory.";
    expect(await localOperator("memory")("seed")).toEqual(failed(1, message));
  });

  it("treats a killed run as stopped", async () => {
    const file = fileURLToPath(new URL("../local/fixtures/command.ts", import.meta.url));
    const environment = { DATA_DIR: directory, PORT: "0", FIXTURE_APP: synthesizedApp("fixture").href };
    const run = startProgram(file, environment);
    await run.printed(/Ctrl-C/);
    // The run is found; the command only fails because the fixture's stack has no such table.
    const message = `There is no AccountsTable in the local database at ${directory}: deploy this version first.`;
    const account = localOperator(directory)("account", commands.account, "Analytical engine 1");
    expect(await account).toEqual(failed(1, message));
    await run.end("SIGKILL");

    expect((await localOperator(directory)("seed")).errors).toContain("No local run uses ");
  });
});

it.each([
  ["account", ["--username", "no spaces"], 'Invalid --username "no spaces": '],
  ["account", ["--username", "ada", "--email", "none"], 'Invalid --email "none": '],
  ["person", ["erase", "a b"], 'Invalid username "a b": '],
  ["key", ["revoke"], "Revoke needs the key's id or name, or the key."],
  ["key", ["add", "--name", "No name"], "--name must be up to 32 small letters, digits and dashes"],
  ["logs", ["--follow", "--until", "1h"], "--follow and --until exclude each other."],
  ["key", ["list", "1f0c9a7e"], 'Unexpected argument "1f0c9a7e".'],
] as const)("invalid usage of %s %j exits with 2", async (name, args, message) => {
  const { code, output, errors } = await operatorHere(directory)(name, args);
  expect([code, output]).toEqual([2, ""]);
  expect([errors.slice(0, message.length), errors.endsWith(`${see(name)}\n`)]).toEqual([message, true]);
});
