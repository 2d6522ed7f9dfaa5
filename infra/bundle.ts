import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, buildSync, type OutputFile } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Bundles functions, all in one call of esbuild: a folder `<outdir>/<name>` with `index.mjs` and its source
 * map each. docs/adr/0006 says why not CDK's NodejsFunction, and what each option is worth.
 *
 * The source map names the sources from the project's folder on (`functions/todos/routes.ts`): so does a stack
 * trace in the log then, wherever CDK copies the bundle to, and the same code gives the same asset everywhere.
 *
 * @param names the folders below functions/
 * @param outdir where the folders are made
 * @throws Error listing what does not compile
 */
export function bundleFunctions(names: readonly string[], outdir: string): void {
  const { outputFiles } = buildSync({ ...bundling(names, outdir), write: false });
  for (const file of outputFiles) {
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, file.path.endsWith(".map") ? fromRoot(file) : file.contents);
  }
}

/** A source map whose sources are named as seen from the project's folder, not from the bundle's. */
function fromRoot({ path, text }: OutputFile): string {
  const map = JSON.parse(text) as { sources: string[] };
  const sources = map.sources.map((source) =>
    relative(root, resolve(dirname(path), source))
      .replaceAll("\\", "/")
      // Packages may be links to where they are kept.
      .replace(/^.*?(?=\bnode_modules\/)/, ""),
  );
  return JSON.stringify({ ...map, sources });
}

function bundling(names: readonly string[], outdir: string) {
  return {
    absWorkingDir: root,
    entryPoints: Object.fromEntries(names.map((name) => [`${name}/index`, `functions/${name}/index.ts`])),
    outdir,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    outExtension: { ".js": ".mjs" },
    mainFields: ["module", "main"],
    alias: { "@aws-sdk/credential-provider-node": join(root, "lib/repositories/credentials.ts") },
    minify: true,
    sourcemap: "linked",
    sourcesContent: false,
    legalComments: "none",
    logLevel: "error",
  } satisfies BuildOptions;
}
