import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, type Metafile, version } from "esbuild";
import { contentHashes, isBundleFresh, recordBundle } from "./bundle-cache.ts";
import { runEsbuild } from "./run-esbuild.ts";

const plugins = fileURLToPath(new URL("./run-esbuild.ts", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Files that determine which package files esbuild reads, but that are not among its inputs. */
const resolutionFiles = [
  "node_modules/.package-lock.json",
  "package-lock.json",
  "package.json",
  "tsconfig.json",
];

/**
 * Bundles functions into `<outdir>/<name>/index.mjs`, each with a source map, in one call of esbuild (docs/adr/0006
 * has the reasons for this and for the options). Functions whose bundle is up to date are skipped, which
 * `<outdir>/<name>.json` records.
 *
 * Source maps have paths relative to the project (`functions/todos/routes.ts`). So stack traces in logs have them too,
 * wherever CDK copies the bundle, and the same code gives the same asset hash on every machine.
 *
 * @param names the folders in functions/
 * @param project the parent folder of functions/, with a trailing slash; this project's by default
 * @returns the names of the functions that were bundled
 * @throws Error with all compile errors and their locations in one line
 */
export async function bundleFunctions(
  names: readonly string[],
  outdir: string,
  project = root,
): Promise<string[]> {
  const startedAt = Date.now();
  const hashBefore = contentHashes();
  const recordFile = (name: string) => join(outdir, `${name}.json`);
  const packages = resolutionFiles.map((file) => hashBefore(join(project, file)));
  const configuration = (name: string) =>
    JSON.stringify([version, hashBefore(plugins), packages, buildOptions([name], outdir, project)]);
  const stale = names.filter((name) => !isBundleFresh(recordFile(name), configuration(name), hashBefore));
  if (stale.length === 0) return stale;

  const metafile = await runEsbuild(buildOptions(stale, outdir, project));
  for (const name of stale) makeRelative(join(outdir, name, "index.mjs.map"), project);
  const hashAfter = contentHashes();
  for (const name of stale) {
    const read = [...inputsOf(metafile, entryOf(name))].map((file) => resolve(project, file));
    const written = ["index.mjs", "index.mjs.map"].map((file) => join(outdir, name, file));
    recordBundle(recordFile(name), configuration(name), { read, written }, startedAt, hashAfter);
  }
  return stale;
}

function entryOf(name: string): string {
  return `functions/${name}/index.ts`;
}

/** The entry point and everything it imports, including modules that tree shaking removes: changes can affect that. */
function inputsOf({ inputs }: Metafile, entry: string): Set<string> {
  const files = new Set([entry]);
  for (const file of files)
    for (const { path, external } of inputs[file]?.imports ?? []) if (!external) files.add(path);
  return files;
}

/** Rewrites the paths of a source map: relative to the project instead of the bundle. */
function makeRelative(path: string, project: string): void {
  const map = JSON.parse(readFileSync(path, "utf8")) as { sources: string[] };
  const sources = map.sources.map((source) =>
    relative(project, resolve(dirname(path), source))
      .replaceAll("\\", "/")
      // node_modules can be a symbolic link.
      .replace(/^.*?(?=\bnode_modules\/)/, ""),
  );
  writeFileSync(path, JSON.stringify({ ...map, sources }));
}

/** How functions are bundled; docs/adr/0006 has the reasons. */
export function buildOptions(names: readonly string[], outdir: string, project: string) {
  return {
    absWorkingDir: project,
    entryPoints: Object.fromEntries(names.map((name) => [`${name}/index`, entryOf(name)])),
    outdir,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    outExtension: { ".js": ".mjs" },
    mainFields: ["module", "main"],
    alias: { "@aws-sdk/credential-provider-node": join(project, "lib/repositories/dynamodb/credentials.ts") },
    minify: true,
    sourcemap: "linked",
    sourcesContent: false,
    legalComments: "none",
    logLevel: "silent",
  } satisfies BuildOptions;
}
