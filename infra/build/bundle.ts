import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type BuildFailure,
  type BuildOptions,
  buildSync,
  type Metafile,
  type OutputFile,
  version,
} from "esbuild";
import { Fingerprints, isBundleFresh, recordBundle } from "./bundle-cache.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What decides which files of the packages are read, though the bundler does not count it among what it read. */
const resolution = ["node_modules/.package-lock.json", "package-lock.json", "package.json", "tsconfig.json"];

/**
 * Bundles functions, all in one call of esbuild: a folder `<outdir>/<name>` with `index.mjs` and its source
 * map each. docs/adr/0006 says why not CDK's NodejsFunction, and what each option is worth. A function whose files and
 * options are those of the bundle that is there already is passed over; `<outdir>/<name>.json` notes them.
 *
 * The source map names the sources from the project's folder on (`functions/todos/routes.ts`): so does a stack
 * trace in the log then, wherever CDK copies the bundle to, and the same code gives the same asset everywhere.
 *
 * @param names the folders below functions/
 * @param outdir where the folders are made
 * @param project the folder that has functions/, with a slash at its end; this project's unless told
 * @returns the names of those that were bundled
 * @throws Error with a message of one line: all that does not compile, with its place
 */
export function bundleFunctions(names: readonly string[], outdir: string, project = root): string[] {
  const began = Date.now();
  const before = new Fingerprints();
  const record = (name: string) => join(outdir, `${name}.json`);
  const packages = resolution.map((file) => before.of(join(project, file))?.text);
  const making = (name: string) => JSON.stringify([version, packages, bundling([name], outdir, project)]);
  const stale = names.filter((name) => !isBundleFresh(record(name), making(name), before));
  if (stale.length === 0) return stale;

  const { outputFiles, metafile } = build(bundling(stale, outdir, project));
  for (const file of outputFiles) {
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, file.path.endsWith(".map") ? fromProject(file, project) : file.contents);
  }
  const after = new Fingerprints();
  for (const name of stale) {
    const read = [...inputsOf(metafile, entryOf(name))].map((file) => resolve(project, file));
    const written = ["index.mjs", "index.mjs.map"].map((file) => join(outdir, name, file));
    recordBundle(record(name), making(name), { read, written }, began, after);
  }
  return stale;
}

/** @throws Error with a message of one line: what does not compile, each with its place */
function build(options: BuildOptions) {
  try {
    return buildSync({ ...options, metafile: true, write: false });
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (errors === undefined) throw error;
    const lines = errors.map(({ text, location }) => {
      const place = location && `${location.file}:${location.line}:${location.column + 1}: `;
      return `${place ?? ""}${text}`;
    });
    throw new Error(lines.join("; "));
  }
}

function entryOf(name: string): string {
  return `functions/${name}/index.ts`;
}

/** The entry point and all that it imports, used or not: what is not used today may be tomorrow. */
function inputsOf({ inputs }: Metafile, entry: string): Set<string> {
  const found = new Set([entry]);
  for (const file of found)
    for (const { path, external } of inputs[file]?.imports ?? []) if (!external) found.add(path);
  return found;
}

/** A source map whose sources are named as seen from the project's folder, not from the bundle's. */
function fromProject({ path, text }: OutputFile, project: string): string {
  const map = JSON.parse(text) as { sources: string[] };
  const sources = map.sources.map((source) =>
    relative(project, resolve(dirname(path), source))
      .replaceAll("\\", "/")
      // Packages may be links to where they are kept.
      .replace(/^.*?(?=\bnode_modules\/)/, ""),
  );
  return JSON.stringify({ ...map, sources });
}

function bundling(names: readonly string[], outdir: string, project: string) {
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
