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
import { runProgram } from "../../support/programs/program.ts";

/** A cold start reads and compiles the bundle. */
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

  it("has a source map with paths relative to the project", () => {
    const { sources } = JSON.parse(readFileSync(`${bundle}.map`, "utf8")) as { sources: string[] };
    expect(sources).toContain(`functions/${name}/index.ts`);
    expect(sources.filter((source) => !/^(functions|lib|node_modules)\//.test(source))).toEqual([]);
  });

  it("is complete: it imports only Node's built-in modules", () => {
    const imports = importsOf(bundle);
    expect(imports).toContain("node:crypto");
    expect(imports.filter((specifier) => !isBuiltin(specifier))).toEqual([]);
    // esbuild does not list imports with a computed specifier.
    expect(readFileSync(bundle, "utf8")).not.toMatch(/\bimport\s*\(\s*[^"'\s]/);
  });
});

it("the test finds missing imports of every kind", () => {
  const file = join(outdir, "missing-imports.mjs");
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

/** The specifiers of a file's static and dynamic imports, re-exports and require calls, as esbuild reads them. */
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

it("logs stack traces with source paths and lines, wherever the bundle was copied", async () => {
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
    HANDLER: join(directory, "index.mjs"),
    EVENT: JSON.stringify(event),
  };
  const { code, output, errors } = await runProgram(program, [], { environment });

  expect([code, `${output}${errors}`]).toEqual([
    0,
    expect.stringMatching(/\(lib\/settings\.ts:\d+:\d+\).* functions\/system\/index\.ts:\d+:\d+/),
  ]);
});
