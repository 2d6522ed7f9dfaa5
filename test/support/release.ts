import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { buildOptions } from "../../infra/build/bundle.ts";
import { runEsbuild } from "../../infra/build/run-esbuild.ts";
import type { HttpHandler } from "../../lib/http/handler.ts";
import { createSynthesizer, defaultApp } from "../../local/stack/synthesize.ts";
import { readTemplate, type SynthesizedStack } from "../../local/stack/template.ts";

/** The functions of the last release, for tests of two versions on one database. */
const file = "test/fixtures/release.br";

export type Handlers = Readonly<Record<string, { readonly handler: HttpHandler }>>;

/** What a release needs to run in one process. */
interface Release extends ReturnType<typeof functionsOf> {
  readonly version: string;
  /** A module that exports each function's module under the name of its folder. */
  readonly code: string;
}

/** The environment of all functions, and the folder of the function behind each route key. */
export function functionsOf(stack: SynthesizedStack) {
  const { functions, api } = readTemplate(stack);
  const folders = new Map(
    functions.map(({ logicalId, environment }) => [logicalId, environment.SERVICE_NAME ?? ""]),
  );
  const environments = functions.map(({ environment }) => environment);
  return {
    environment: Object.assign({}, ...environments) as Record<string, string>,
    routes: api.routes.map(({ routeKey, functionId: id }) => ({ routeKey, folder: folders.get(id) ?? "" })),
  };
}

/** Bundles the functions with the options of a deployment into one module, which is a third of their bundles. */
export async function writeRelease(version: string): Promise<void> {
  const outdir = await mkdtemp(join(tmpdir(), "service-"));
  try {
    const synthesizer = createSynthesizer(defaultApp, { stage: "dev", outdir });
    const { environment, routes } = functionsOf(await synthesizer.synthesize());
    await synthesizer.close();
    const folders = [...new Set(routes.map(({ folder }) => folder))];
    const contents = folders.map((name) => `export * as "${name}" from "./functions/${name}/index.ts";`);
    const { entryPoints: _, ...options } = buildOptions([], outdir, resolve("."));
    const stdin = { contents: contents.join("\n"), resolveDir: resolve(".") };
    await runEsbuild({ ...options, stdin, sourcemap: false });
    const code = await readFile(join(outdir, "stdin.mjs"), "utf8");
    const release: Release = { version, environment, routes, code };
    writeFileSync(file, brotliCompressSync(JSON.stringify(release)));
  } finally {
    await rm(outdir, { recursive: true });
  }
}

/** Loads the last release. @param environment what its functions find besides their own variables */
export async function loadRelease(environment: Readonly<Record<string, string>>) {
  const release: Release = JSON.parse(brotliDecompressSync(readFileSync(file)).toString());
  const all = { ...environment, ...release.environment };
  // They read it when they are loaded.
  Object.assign(process.env, all);
  const url = `data:text/javascript;base64,${Buffer.from(release.code).toString("base64")}`;
  return { ...release, environment: all, handlers: (await import(url)) as Handlers };
}
