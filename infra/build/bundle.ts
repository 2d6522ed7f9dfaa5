import { hash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions } from "esbuild";
import { parseJson } from "../../lib/parse-json.ts";
import { type Build, inputsOf, runEsbuild } from "./run-esbuild.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Files that determine a bundle, but that are not among esbuild's inputs. */
const otherInputs = [
  "node_modules/.package-lock.json",
  "package-lock.json",
  "package.json",
  "tsconfig.json",
  fileURLToPath(import.meta.url),
  fileURLToPath(new URL("./run-esbuild.ts", import.meta.url)),
];

const CLOCK_RESOLUTION_MS = 20;

/**
 * Bundles functions into `<outdir>/<name>/index.mjs`, each with a source map, in one call of esbuild
 * (docs/adr/0006 has the reasons for this and for the options). Functions whose bundle is up to date are
 * skipped: `<outdir>/<name>.json` has the hashes of all files that it was built from.
 *
 * Source maps have paths relative to the project (`functions/todos/routes.ts`). So stack traces in logs have
 * them too, wherever CDK copies the bundle, and the same code gives the same asset hash on every machine. The
 * local run sets BUNDLE_SOURCE_ROOT, with which debuggers and Node find the files.
 *
 * @param names folders in functions/; `todos+jobs` is the file jobs.ts of todos, other names are index.ts
 * @param project the parent folder of functions/, with a trailing slash; this project's by default
 * @param first files with which the bundles begin, besides the functions' own code
 * @param build instead of esbuild's own
 * @returns the names of the functions that were bundled
 * @throws Error with all compile errors and their locations in one line
 */
export async function bundleFunctions(
  names: readonly string[],
  outdir: string,
  project = root,
  first: readonly string[] = [],
  build?: Build,
): Promise<string[]> {
  const startedAt = Date.now();
  const recordOf = (name: string) => join(outdir, `${name}.json`);
  const hashBefore = contentHashes();
  const stale = names.filter((name) => !isFresh(recordOf(name), hashBefore));
  if (stale.length === 0) return stale;

  const options = { ...buildOptions(stale, outdir, project), inject: [...first] };
  const metafile = await runEsbuild(options, build);
  const hashAfter = contentHashes();
  for (const name of stale) {
    const bundle = join(outdir, name, "index.mjs");
    const map = `${bundle}.map`;
    makeRelative(map, project);
    const ofFirst = first.flatMap((file) => [...inputsOf(metafile, file)]);
    const inputs = [...inputsOf(metafile, entryOf(name)), ...ofFirst, ...otherInputs].map((file) =>
      resolve(project, file),
    );
    // The bundle may have the old or the new content of a file that has changed since: build it again.
    const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (inputs.some((file) => changedAt(file) >= startedAt - CLOCK_RESOLUTION_MS)) continue;
    const hashes = [...inputs, bundle, map].map((file) => [file, hashAfter(file)]);
    writeFileSync(recordOf(name), JSON.stringify(Object.fromEntries(hashes)));
  }
  return stale;
}

/** The hashes of files at one moment, each read once; null for one that does not exist. */
function contentHashes() {
  const known = new Map<string, string | null>();
  return (file: string) => {
    if (!known.has(file)) known.set(file, existsSync(file) ? hash("sha256", readFileSync(file)) : null);
    return known.get(file);
  };
}

function isFresh(record: string, hashOf: ReturnType<typeof contentHashes>): boolean {
  // A kill may have left a part of it, which is no JSON.
  const hashes = existsSync(record) ? parseJson(readFileSync(record, "utf8")) : undefined;
  return (
    hashes !== undefined && Object.entries(hashes as object).every(([file, hash]) => hashOf(file) === hash)
  );
}

export function entryOf(name: string): string {
  const [folder, file = "index"] = name.split("+");
  return `functions/${folder}/${file}.ts`;
}

function makeRelative(path: string, project: string): void {
  const map = JSON.parse(readFileSync(path, "utf8")) as { sources: string[] };
  const sources = map.sources.map((source) =>
    // esbuild encodes characters such as ü.
    relative(project, resolve(dirname(path), decodeURIComponent(source)))
      .replaceAll("\\", "/")
      // node_modules can be a symbolic link.
      .replace(/^.*?(?=\bnode_modules\/)/, ""),
  );
  writeFileSync(path, JSON.stringify({ ...map, sources }));
}

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
    alias: { "@aws-sdk/credential-provider-node": join(project, "lib/dynamodb/credentials.ts") },
    minify: true,
    sourcemap: "linked",
    sourcesContent: false,
    ...(process.env.BUNDLE_SOURCE_ROOT && { sourceRoot: process.env.BUNDLE_SOURCE_ROOT }),
    legalComments: "none",
    logLevel: "silent",
  } satisfies BuildOptions;
}
