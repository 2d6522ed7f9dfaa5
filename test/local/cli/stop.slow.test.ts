import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { synthesizedApp } from "../../support/infra/assembly.ts";
import { launcher } from "../../support/programs/program.ts";
import { untilClosed, untilEnded } from "../../support/programs/until-closed.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const program = new URL("../fixtures/command.ts", import.meta.url).pathname;
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

let directory: string;
let data: string;
beforeEach(() => {
  directory = temporaryDirectory(onTestFinished);
  data = join(directory, "data");
  // Loaded before the launcher, it makes this Node claim to be an older one, so that the launcher starts another.
  const isLauncher = 'process.argv[1].endsWith("launch.cjs") && !process.channel';
  const claim = 'Object.defineProperty(process, "versions", { value: { node: "20.1.0" } })';
  writeFileSync(join(directory, "older.cjs"), `if (${isLauncher}) ${claim};`);
});

/** Runs the fixture as `npm start` of a project whose script is the one of this project. */
async function start({ isOlderNode = false, command = ["npm", "start"] } = {}) {
  const node = `${process.execPath} ${isOlderNode ? `--require ${join(directory, "older.cjs")} ` : ""}`;
  const script = scripts.start
    ?.replace("node ", node)
    .replace("local/launch.cjs", launcher)
    .replace("local/start.ts", program);
  writeFileSync(join(directory, "package.json"), JSON.stringify({ scripts: { start: script } }));
  const [file = "", ...args] = command;
  const FIXTURE_APP = synthesizedApp("fixture").href;
  const env = { PATH: process.env.PATH, DATA_DIR: data, PORT: "0", FIXTURE_APP };
  const child = spawn(file, args, { cwd: directory, env, stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let output = "";
  const url = await new Promise<string>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const [, ready] = /Ready at (\S+)/.exec(output) ?? [];
      if (ready !== undefined) resolve(ready);
    });
  });
  const programId = Number(readFileSync(join(data, "run.pid"), "utf8"));
  return { child, closed, url, programId };
}

const notes = (url: string, text?: string) =>
  fetch(`${url}/notes/1`, text === undefined ? {} : { method: "PUT", body: text });

/** What a stop has to leave behind: nothing that answers, and no mark of an unclean end. */
async function expectEnd({ closed, url, programId }: Awaited<ReturnType<typeof start>>, isClean = true) {
  await untilClosed(url);
  await closed;
  // In a terminal of its own, the run does not have this process's pipe as output.
  await untilEnded(programId);
  expect(existsSync(join(data, "run.begun"))).toBe(!isClean);
}

const signals = ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const;

describe("npm start", () => {
  it.each(signals)("stops cleanly when npm gets %s", async (signal) => {
    const run = await start();
    run.child.kill(signal);
    await expectEnd(run);
  });

  it.each(signals)("stops when the program gets %s", async (signal) => {
    const run = await start();
    await notes(run.url, "kept");
    process.kill(run.programId, signal);
    await expectEnd(run, signal !== "SIGKILL");
    const next = await start();
    expect(await (await notes(next.url)).json()).toMatchObject({ Item: { text: { S: "kept" } } });
    process.kill(next.programId);
    await next.closed;
  });

  it.each(signals)("stops cleanly when the launcher of an older Node gets %s", async (signal) => {
    const launch = [process.execPath, "--require", join(directory, "older.cjs"), launcher, program];
    const run = await start({ command: launch });
    expect(run.programId).not.toBe(run.child.pid);
    run.child.kill(signal);
    await expectEnd(run);
  });

  it.each([
    ["npm is killed above the launcher of an older Node", { isOlderNode: true }],
    ["its terminal is closed", { command: ["script", "--quiet", "--command", "npm start", "/dev/null"] }],
  ])("stops cleanly when %s", async (_, options) => {
    const run = await start(options);
    run.child.kill("SIGKILL");
    await expectEnd(run);
  });

  it("keeps npm from starting a shell in between, which would not pass signals on", () => {
    for (const name of ["start", "dev"]) expect(scripts[name]).toMatch(/^exec node /);
  });
});
