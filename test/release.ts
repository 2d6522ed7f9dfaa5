import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../cli/command.ts";
import { progress } from "../cli/progress.ts";
import clientFile from "../client/package.json" with { type: "json" };
import packageFile from "../package.json" with { type: "json" };
import { codeBlocksOf } from "./support/markdown.ts";

const compilers = { ts5: "npm:typescript@5", ts7: "npm:typescript@7" };

await runCommand({
  name: "npm run release",
  description: `Writes what a release publishes, the client's package, to this directory, unless a check fails:

  settings   package.json says where the project is and who answers: repository, homepage and bugs
  notes      both packages have the version, and CHANGELOG.md has it with a date
  types      a new Vite project compiles README.md's program with TypeScript 5 and 7
  bundle     Vite bundles it

It installs Vite and both compilers from the registry.`,
  async run() {
    process.chdir(fileURLToPath(new URL("..", import.meta.url)));
    const directory = mkdtempSync(join(tmpdir(), "release-"));
    try {
      const { repository, homepage, bugs, version } = packageFile;
      const empty = Object.entries({ repository, homepage, bugs }).filter(([, value]) => value === "");
      const settings = empty.map(([name]) => `${name} is empty in package.json`).join(", ");
      const tarball = packClient(directory);
      const project = createProject(join(directory, tarball));
      const run = (program: string, ...args: string[]) =>
        problemOf(process.execPath, [join(project, "node_modules", program), ...args]);
      const checks = {
        settings,
        notes: problemOf(".ci/release-notes", [`v${version}`]),
        "types ts5": run("ts5/bin/tsc", "-p", project),
        "types ts7": run("ts7/bin/tsc", "-p", project),
        bundle: run("vite/bin/vite.js", "build", project),
      };
      for (const [name, problem] of Object.entries(checks))
        process.stdout.write(`${name.padEnd(10)} ${problem || "passed"}\n`);
      if (Object.values(checks).some((problem) => problem !== "")) return 1;
      copyFileSync(join(directory, tarball), tarball);
      process.stdout.write(`Wrote ${tarball}.\n`);
      return 0;
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
});

/** Packs the client with what only a release says. @returns the file's name */
function packClient(directory: string): string {
  const source = join(directory, "client");
  cpSync("client", source, { recursive: true });
  const { repository: url, homepage, bugs } = packageFile;
  const repository = { type: "git", url, directory: "client" };
  const manifest = { ...clientFile, repository, homepage, bugs };
  writeFileSync(join(source, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const args = ["pack", source, "--json", "--pack-destination", directory];
  const [packed] = JSON.parse(execFileSync("npm", args, { encoding: "utf8", stdio: "pipe" }));
  for (const { path, size } of packed.files) progress(`${String(size).padStart(7)} bytes  ${path}`);
  return packed.filename;
}

/** A page with README's program, in a project as `npm create vite` makes it, with the package installed. */
function createProject(tarball: string): string {
  const project = join(tarball, "..", "page");
  cpSync("test/fixtures/page", project, { recursive: true });
  const dependencies = { [clientFile.name]: `file:${tarball}`, vite: "8", ...compilers };
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", dependencies }));
  const program = codeBlocksOf("README.md", "ts").find((code) => code.includes("createClient")) ?? "";
  writeFileSync(join(project, "main.ts"), program);
  execFileSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: project, stdio: "inherit" });
  return project;
}

/** What a program prints if it fails; empty if it succeeds. */
function problemOf(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}`.trim() || "failed";
}
