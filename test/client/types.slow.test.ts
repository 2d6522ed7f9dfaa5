import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import manifest from "../../package.json" with { type: "json" };
import { codeBlocksOf, linksOf } from "../support/markdown.ts";
import { clientsProject, manifestIn } from "../support/programs/consumer.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const tsc = resolve("node_modules/.bin/tsc");
const fixtures = "test/client/fixtures";
const project = clientsProject(afterAll);
for (const name of readdirSync(fixtures)) copyFileSync(join(fixtures, name), join(project, name));
writeFileSync(join(project, "readme.ts"), codeBlocksOf("client/README.md", "ts").join(""));

describe("the client package", () => {
  it("contains its files and depends only on openapi-fetch", () => {
    const files = readdirSync(join(project, "node_modules", SERVICE_NAME));
    const { name, version, dependencies, exports } = manifestIn(project, SERVICE_NAME);

    const expected = "LICENSE README.md index.d.ts index.js openapi.d.ts package.json";
    expect(files.sort().join(" ")).toBe(expected);
    expect({ name, version }).toEqual({ name: manifest.name, version: manifest.version });
    expect(dependencies).toEqual({ "openapi-fetch": manifest.dependencies["openapi-fetch"] });
    expect(Object.keys(exports)).toEqual(Object.keys(manifest.exports));
  });

  it("has the project's license, and no links that lead out of it", () => {
    expect(readFileSync("client/LICENSE", "utf8")).toBe(readFileSync("LICENSE", "utf8"));
    expect(linksOf("client/README.md").filter((link) => !/^(https:\/\/|#)/.test(link))).toEqual([]);
  });

  it("is used by the README's first program in a project of npm init", () => {
    const directory = temporaryDirectory(onTestFinished);
    const [sample = ""] = codeBlocksOf("client/README.md", "ts");
    const [install = ""] = codeBlocksOf("client/README.md", "sh");
    writeFileSync(join(directory, "account.ts"), sample);
    symlinkSync(join(project, "node_modules"), join(directory, "node_modules"));
    // Installing needs a registry.
    const script = install
      .replaceAll(/^npm install .*\n/gm, "")
      .replace("npx tsc", tsc)
      .replace(" && node account.js", "");
    const options = { cwd: directory, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script], options);

    expect(status, stdout + stderr).toBe(0);
    expect(readFileSync(join(directory, "account.js"), "utf8")).toContain("error.fields");
  });

  it("takes at most 5 KB of a compressed bundle, with its dependency", () => {
    const entry = join(project, "node_modules", SERVICE_NAME, "index.js");
    const bundled = { bundle: true, minify: true, format: "esm", write: false } as const;
    const { outputFiles } = buildSync({ entryPoints: [entry], ...bundled });
    const bundle = outputFiles[0]?.contents ?? new Uint8Array();

    expect(bundle.length).toBeGreaterThan(5_000);
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(5_000);
  });

  it("runs in plain JavaScript", () => {
    const printed = execFileSync(process.execPath, [join(project, "first-account.js")], { encoding: "utf8" });

    const usernames = ["ada", "bob"];
    expect(JSON.parse(printed)).toEqual({ email: "ada@example.com", usernames, isApiError: true });
  });
});

it.each([
  ["nodenext", "nodenext", ["es2022"]],
  ["esnext", "bundler", ["es2022", "dom"]],
])("the client's types accept only valid calls (%s, %s, %s)", (module, moduleResolution, lib) => {
  const options = {
    module,
    moduleResolution,
    target: "es2022",
    lib,
    types: ["node"],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    checkJs: true,
    // Also checks the client's own declarations.
    skipLibCheck: false,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  const { stdout, status } = spawnSync(tsc, ["-p", project], { encoding: "utf8" });

  expect([stdout, status]).toEqual(["", 0]);
});
