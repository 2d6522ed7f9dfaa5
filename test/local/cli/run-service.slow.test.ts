import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startLoopback } from "../../../local/loopback.ts";
import { synthesizedApp } from "../../support/infra/assembly.ts";
import { copyProject } from "../../support/programs/project-copy.ts";
import { startInTest } from "../../support/programs/started.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const command = fileURLToPath(new URL("../fixtures/command.ts", import.meta.url));
const fixtureCode = fileURLToPath(new URL("../fixtures/code", import.meta.url));

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory(onTestFinished);
});

/** Runs the fixture's app, which is synthesized again only if its code is another one. */
function run(environment: Record<string, string> = {}) {
  const app = "FIXTURE_CODE" in environment ? {} : { FIXTURE_APP: synthesizedApp("fixture").href };
  return start(command, { ...app, ...environment });
}

const start = (program: string, environment: Record<string, string>, args?: readonly string[]) =>
  startInTest(program, { DATA_DIR: join(directory, "data"), PORT: "0", ...environment }, args);

describe("npm start", () => {
  it("finishes running requests when it is stopped", async () => {
    const started = run();
    const url = await started.ready();
    await fetch(`${url}/brief/environment`);
    const looping = fetch(`${url}/brief/loop`);
    await started.printed(/before the loop/);
    const ended = started.end("SIGTERM");
    expect((await looping).status).toBe(500);
    expect(await ended).toBe(0);
  });

  it("exits cleanly when it is stopped during the start", async () => {
    const started = run();
    await started.printed(/Started dynoxide in \d/);
    expect(await started.end("SIGTERM")).toBe(0);
    expect(started.output()).not.toMatch(/Error|can't/);
    await run().ready();
  });

  it("refuses a port that is in use, before it creates anything", async () => {
    const server = await startLoopback(() => undefined);
    const { port } = new URL(server.url);
    const started = run({ PORT: port });
    expect(await started.end("SIGCONT")).toBe(1);
    expect(started.output()).toBe(
      `Port ${port} is in use. Stop the program that listens there, or choose another PORT.\n`,
    );
    expect(existsSync(join(directory, "data"))).toBe(false);
    await server.close();
  });

  it("ends with an error when the engine dies", async () => {
    const started = run();
    await started.ready();
    const processes = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
    const ours = processes.filter((line) => line.includes(directory));
    const engine = ours.find((line) => /^ *\d+ \S*dynoxide serve/.test(line));
    process.kill(Number.parseInt(engine ?? "", 10), "SIGKILL");
    expect(await started.end("SIGCONT")).toBe(1);
    expect(started.output()).toContain("The database engine ended unexpectedly, so the service stops too.\n");
  });

  it.each([
    ["an impossible directory", { DATA_DIR: "/proc/none/data" }, /^DATA_DIR .* can't be used: .*\n$/],
    ["an address of another machine", { HOST: "192.0.2.1" }, /^HOST must be .*, not "192\.0\.2\.1"\.\n$/],
    ["a stage setting", { RESERVED_USERNAMES: "a b" }, /^RESERVED_USERNAMES must be .*, not "a b"\.\n$/],
    ["its form", { ADMIN_PASSWORD: "x" }, /^ADMIN_PASSWORD is refused: Must have at least 8 .* letter\.\n$/],
    ["missing code", { FIXTURE_CODE: "/nowhere" }, /\nThe stack can't be synthesized: .*\/nowhere.*\n$/],
  ])("rejects %s in one line", async (_, environment, expected) => {
    const started = run(environment);
    expect(await started.end("SIGCONT")).toBe(1);
    expect(started.output()).toMatch(expected);
    if (expected.source.startsWith("^")) expect(existsSync(join(directory, "data"))).toBe(false);
  });

  it("reports syntax errors in the service's code with their location, in one line", async () => {
    const project = join(directory, "project");
    copyProject(project);
    const fixtures = join("test", "local", "fixtures");
    cpSync(fixtures, join(project, fixtures), { recursive: true });
    const steps = /^(\w+ .* in \d+\.\d s\n)+.*\n$/;
    appendFileSync(join(project, "functions/accounts/index.ts"), "\nconst = 1;\n");
    const bundling = start(join(project, "local/start.ts"), {});
    expect(await bundling.end("SIGCONT")).toBe(1);
    expect(bundling.output()).toMatch(steps);
    expect(bundling.output()).toMatch(
      /\nThe stack can't be synthesized: functions\/accounts\/index\.ts:\d+:\d+: Expected .*\n$/,
    );

    appendFileSync(join(project, "lib/auth/passwords.ts"), "\nconst = 1;\n");
    const loading = start(join(project, fixtures, "command.ts"), { FIXTURE_APP: synthesizedApp("dev").href });
    expect(await loading.end("SIGCONT")).toBe(1);
    expect(loading.output()).toMatch(steps);
    expect(loading.output()).toMatch(
      /\nThe service's code can't be loaded: .* \(\S*\/lib\/auth\/passwords\.ts:\d+\)\n$/,
    );
  });
});

describe("npm run dev", () => {
  it("reloads a changed function, keeps the data and the other functions, and survives a broken change", async () => {
    const code = join(directory, "code");
    cpSync(fixtureCode, code, { recursive: true });
    const notes = join(code, "notes", "index.mjs");
    const write = (version: string) =>
      writeFileSync(notes, readFileSync(notes, "utf8").replace(/version = .*/, `version = ${version};`));
    const started = run({ FIXTURE_CODE: code, FIXTURE_WATCH: code });
    const url = await started.ready();
    const environment = await (await fetch(`${url}/probe/environment`)).text();
    await fetch(`${url}/notes/1`, { method: "PUT", body: "kept" });
    await started.printed(/\nGET {5}200 {2} +\d+ ms {2}cold {7}0 units {2}\/probe\/environment\n/);
    await started.printed(/\nPUT {5}200 {2} +\d+ ms {2}cold {7}1 unit {3}\/notes\/1\n/);

    write('"second"');
    await started.printed(
      /Changed \S*notes\/index\.mjs, reloading\nSynthesized the stack after \d+\.\d s: NotesFunction\n/,
    );
    const reloaded = await fetch(`${url}/notes/1`);
    expect(reloaded.headers.get("x-version")).toBe("second");
    expect(await reloaded.json()).toMatchObject({ Item: { text: { S: "kept" } } });
    expect(await (await fetch(`${url}/probe/environment`)).text()).toBe(environment);

    renameSync(join(code, "notes"), join(directory, "notes"));
    await started.printed(/The stack before the change keeps running\. The stack can't be synthesized/);
    expect((await fetch(`${url}/notes/1`)).status).toBe(200);
    renameSync(join(directory, "notes"), join(code, "notes"));
    await started.printed(/Synthesized the stack after \d+\.\d s: nothing has changed\n/);
  });

  it("bundles a changed handler alone, keeps the last good code, and names files of any path", async () => {
    const project = join(directory, "ü a");
    copyProject(project);
    const started = start(join(project, "local/dev.ts"), {}, ["--inspect=0"]);
    await started.printed(/Debugger listening on ws:/);
    const url = await started.ready();
    const file = join(project, "functions/accounts/index.ts");
    const code = readFileSync(file, "utf8");
    const save = (more: string) => writeFileSync(file, `${code}${more}\n`);
    save('console.log("changed");');
    await started.printed(
      /Changed functions\/accounts\/index\.ts, reloading\n\[AccountsFunction\] changed\nReloaded AccountsFunction in \d/,
    );
    save("const = 1;");
    await started.printed(
      /\nThe code before the change keeps running\. functions\/accounts\/index\.ts:\d+:7: .*\n/,
    );
    save('throw new Error("not yet");');
    const place = join(realpathSync(project), "functions/accounts/index.ts").replaceAll(".", "\\.");
    const reason = `AccountsFunction can't be loaded: Error: not yet .*${place}:\\d+:7\\)?\n`;
    await started.printed(new RegExp(`\nThe code before .*\\. ${reason}`));
    expect((await fetch(`${url}/users/me`)).status).toBe(401);
  });

  it("serves a page of requests, which npm start does not have", async () => {
    const started = run({ FIXTURE_WATCH: fixtureCode });
    const [, page = ""] = await started.printed(/Requests +(\S+)/);
    expect((await fetch(`${page}/events`)).headers.get("content-type")).toBe("text/event-stream");
    expect(await started.end("SIGTERM")).toBe(0);

    // The function of the fixture's default route.
    const response = await fetch(`${await run().ready()}/_dev`);
    expect(response.headers.get("content-type")).not.toContain("text/html");
  });
});
