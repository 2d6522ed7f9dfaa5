import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { bundleFunctions } from "../../../infra/build/bundle.ts";
import { runProgram } from "../../support/program.ts";

/** What a cold start has to read and compile. */
const BUDGET_BYTES = 450 * 1024;

const outdir = mkdtempSync(join(tmpdir(), "resource-api-"));
const names = readdirSync("functions", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
bundleFunctions(names, outdir);
afterAll(() => rmSync(outdir, { recursive: true }));

describe.each(names)("the bundle of %s", (name) => {
  const bundle = join(outdir, name, "index.mjs");

  it("is at most 450 KB", () => {
    expect(statSync(bundle).size).toBeLessThanOrEqual(BUDGET_BYTES);
  });

  it("has a source map that names the sources from the project's folder on", () => {
    const { sources } = JSON.parse(readFileSync(`${bundle}.map`, "utf8")) as { sources: string[] };
    expect(sources).toContain(`functions/${name}/index.ts`);
    expect(sources.filter((source) => !/^(functions|lib|node_modules)\//.test(source))).toEqual([]);
  });

  it("is complete: it imports nothing but Node's own modules", () => {
    const imports = importsOf(bundle);
    expect(imports).toContain("node:crypto");
    expect(imports.filter((specifier) => !isBuiltin(specifier))).toEqual([]);
    // What is computed no list can name.
    expect(readFileSync(bundle, "utf8")).not.toMatch(/\bimport\s*\(\s*[^"'\s]/);
  });
});

it("an import that a bundle lacks is seen, of whatever kind it is", () => {
  const file = join(outdir, "lacking.mjs");
  writeFileSync(
    file,
    'import"jose";import{z}from"zod";export*from"a";await import("b");createRequire(import.meta.url);require("c")',
  );

  expect(importsOf(file).filter((specifier) => !isBuiltin(specifier))).toEqual([
    "jose",
    "zod",
    "a",
    "b",
    "c",
  ]);
});

/** What a file imports, statically or not, re-exports or requires, as the bundler reads it. */
function importsOf(file: string): string[] {
  const { metafile } = buildSync({
    entryPoints: [file],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    metafile: true,
    write: false,
  });
  return Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
}

it("logs a defect's stack trace, such as that of a missing setting, with the sources' names and lines, wherever the bundle was copied to", async () => {
  const directory = join(outdir, "copied", "to", "var", "task");
  mkdirSync(directory, { recursive: true });
  cpSync(join(outdir, "system"), directory, { recursive: true });
  const program = fileURLToPath(new URL("../fixtures/invoke.ts", import.meta.url));
  const event = {
    rawPath: "/health/ready",
    rawQueryString: "",
    headers: { host: "api.example.com" },
    requestContext: { domainName: "api.example.com", http: { method: "GET" }, requestId: "id" },
    isBase64Encoded: false,
  };
  const environment = {
    NODE_OPTIONS: "--enable-source-maps",
    HANDLER: join(directory, "index.mjs"),
    EVENT: JSON.stringify(event),
    POWERTOOLS_METRICS_DISABLED: "true",
  };
  const { code, output, errors } = await runProgram(program, [], { environment });

  expect([code, `${output}${errors}`]).toEqual([
    0,
    expect.stringMatching(/\/task\/lib\/settings\.ts:\d+:\d+.*\/task\/functions\/service\/index\.ts:\d+:\d+/),
  ]);
});
