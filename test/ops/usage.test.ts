import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandName, commandFile, localOperator } from "../support/operator.ts";
import { runProgram } from "../support/program.ts";

const commands = {
  account: ["--username", "ada"],
  seed: [],
  key: ["list"],
  rotate: [],
  repair: [],
} as const satisfies Record<CommandName, readonly string[]>;
const names = Object.keys(commands) as CommandName[];

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "usage-test-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const failed = (code: number, errors: string) => ({ code, output: "", errors: `${errors}\n` });
const see = (name: string) => `See npm run ${name} -- --help.`;

describe.each(names)("npm run %s", { timeout: 30_000 }, (name) => {
  it("explains itself", async () => {
    const { code, output, errors } = await runProgram(commandFile(name), ["--help"]);

    expect([code, errors]).toEqual([0, ""]);
    expect(output.startsWith(`npm run ${name} -- --stage dev|prod|local`)).toBe(true);
    for (const text of ["--stage", "--dry-run", "Exit codes: 0 done, 1 failed, 2 wrong usage."])
      expect(output).toContain(text);
    expect(output.split("\n").filter((line) => line.length > 120)).toEqual([]);
  });

  it("wants a stage that there is", async () => {
    const file = commandFile(name);
    expect(await runProgram(file, commands[name])).toEqual(
      failed(2, `Give --stage dev, prod or local. ${see(name)}`),
    );
    expect(await runProgram(file, ["--stage", "test", ...commands[name]])).toEqual(
      failed(2, `There is no stage "test": --stage dev, prod or local. ${see(name)}`),
    );
  });

  it("refuses what it does not know", async () => {
    const args = ["--stage", "local", ...commands[name]];
    expect(await runProgram(commandFile(name), [...args, "--fast"])).toEqual(
      failed(2, `Unknown option '--fast'. ${see(name)}`),
    );
    expect(await runProgram(commandFile(name), [...args, "more"])).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/ is too much\. See [^\n]*\n$/),
    });
  });

  it("says so when nothing runs", async () => {
    const message = `Nothing runs on the data in ${directory}: start it with npm start, or give DATA_DIR.`;

    expect(await localOperator(directory)(name, commands[name])).toEqual(failed(1, message));
  });
});

describe("a command", { timeout: 30_000 }, () => {
  const seed = commandFile("seed");
  const region = { AWS_REGION: "us-east-1", AWS_EC2_METADATA_DISABLED: "true" };
  const credentials = { AWS_ACCESS_KEY_ID: "any", AWS_SECRET_ACCESS_KEY: "any" };
  const nowhere = { AWS_ENDPOINT_URL: "http://127.0.0.1:1" };
  const noProfile = { AWS_CONFIG_FILE: "/dev/null", AWS_SHARED_CREDENTIALS_FILE: "/dev/null" };

  it.each([
    ["there is no region", credentials, "No AWS region is set: give AWS_REGION or a profile with one."],
    [
      "there are no credentials",
      region,
      "CredentialsProviderError: Could not load credentials from any providers",
    ],
    ["nothing answers", { ...region, ...credentials }, "AWS cannot be reached: ECONNREFUSED"],
  ])("says in one line that %s", async (_, variables, message) => {
    const environment = { ...noProfile, ...nowhere, ...variables };

    expect(await runProgram(seed, ["--stage", "dev"], { environment })).toEqual(failed(1, message));
  });

  it("can't reach a run that keeps nothing", async () => {
    expect(await localOperator("memory")("seed")).toEqual(
      failed(1, "A run that keeps nothing (DATA_DIR=memory) can't be reached by commands."),
    );
  });

  it("takes a run that was killed for stopped", async () => {
    const file = fileURLToPath(new URL("../local/fixtures/command.ts", import.meta.url));
    const run = spawn(process.execPath, [file], {
      env: { PATH: process.env.PATH, DATA_DIR: directory, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    for await (const text of run.stdout.setEncoding("utf8")) {
      output += text;
      if (output.includes("Ctrl-C")) break;
    }
    // It is found as long as it lives: what fails then is that it is another stack's.
    expect(await localOperator(directory)("seed")).toEqual(
      failed(1, "The stack fixture-dev has no ProductsTable: deploy this version first."),
    );
    run.kill("SIGKILL");
    await once(run, "exit");

    expect((await localOperator(directory)("seed")).errors).toContain("Nothing runs on the data in");
  });
});

describe("wrong usage", { timeout: 30_000 }, () => {
  it.each([
    ["account", [], "Give --username."],
    [
      "account",
      ["--username", "no spaces"],
      'The username "no spaces" does not fit: The username may contain only',
    ],
    ["account", ["--username", "ada", "--email", "none"], 'The email "none" does not fit: Invalid email'],
    ["account", ["--username", "ada", "--role", "root"], 'There is no role "root": --role user or admin.'],
    ["key", [], "Say add, revoke or list."],
    ["key", ["show"], 'There is no "show".'],
    ["key", ["revoke"], "Say which key: its first 4 characters or more."],
    ["key", ["revoke", "abc"], "Say which key: its first 4 characters or more."],
    ["repair", ["--wait", "soon"], '--wait is a number of whole seconds, not "soon".'],
  ] as const)("of %s %j is told apart from a failure", async (name, args, message) => {
    const { code, output, errors } = await localOperator(directory)(name, args);

    expect([code, output]).toEqual([2, ""]);
    expect(errors.startsWith(message)).toBe(true);
    expect(errors.endsWith(`${see(name)}\n`)).toBe(true);
  });
});
