import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLOCK_RESOLUTION_MS, Fingerprints } from "../../infra/build/bundle-cache.ts";
import type { AppProps, SynthesisResult } from "./synthesis-worker.ts";

/** Everything that determines an assembly, apart from the stage and its settings. */
const sourceDirectories = ["functions", "infra", "lib", "local/stack"];
const sourceFiles = ["node_modules/.package-lock.json", "package-lock.json", "package.json", "tsconfig.json"];

/** In the directory of an assembly: a `SynthesisResult` with names relative to the directory. */
const RESULT = "result.json";

const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Keeps the assembly of the last start of each stage, so that a start without changes need not load the CDK and bundle
 * the functions. Its directory is named after a hash of all that it was made from. Several runs may use it at the same
 * time: each has a copy of its own.
 */
export class AssemblyCache {
  readonly #props: AppProps;
  readonly #root: string;
  readonly #prefix: string;
  /** The sources as they were when the synthesis began. */
  readonly #before: Sources;
  readonly #directory: string;

  /**
   * @param props what the app is synthesized with; the assembly is copied from or to `outdir`
   * @param root the project's directory
   */
  constructor(props: AppProps, root = projectRoot) {
    this.#props = props;
    this.#root = root;
    this.#prefix = join(root, "node_modules", ".cache", "resource-api", `assembly-${props.stage}-`);
    this.#before = this.#sources();
    this.#directory = this.#prefix + this.#before.hash;
  }

  /** Whether there is an assembly of the sources. */
  isFresh(): boolean {
    return existsSync(join(this.#directory, RESULT));
  }

  /** Copies the cached assembly. @returns undefined if there is none of these sources */
  async restore(): Promise<SynthesisResult | undefined> {
    if (!this.isFresh()) return undefined;
    const { outdir } = this.#props;
    const resultFile = join(this.#directory, RESULT);
    try {
      const result: SynthesisResult = JSON.parse(await readFile(resultFile, "utf8"));
      await cp(this.#directory, outdir, { recursive: true, filter: (path) => path !== resultFile });
      // Another run may have deleted files of the assembly before they were copied: this one first.
      if (!this.isFresh()) return undefined;
      const templateFile = join(outdir, result.templateFile);
      return { ...result, templateFile, assetManifestFile: join(outdir, result.assetManifestFile) };
    } catch (error) {
      if (isFileError(error)) return undefined;
      throw error;
    }
  }

  /** Stores a copy of a new assembly, unless a source has changed during the synthesis or the cache can't be written. */
  async store(result: SynthesisResult): Promise<void> {
    const after = this.#sources();
    if (after.hash !== this.#before.hash || after.changedAt >= this.#before.readAt - CLOCK_RESOLUTION_MS)
      return;
    const { outdir } = this.#props;
    const templateFile = basename(result.templateFile);
    const assetManifestFile = basename(result.assetManifestFile);
    const partial = this.#prefix + randomUUID();
    try {
      await mkdir(partial, { recursive: true });
      for (const name of await readdir(outdir))
        if (name === templateFile || name === assetManifestFile || name.startsWith("asset."))
          await cp(join(outdir, name), join(partial, name), { recursive: true });
      await writeFile(join(partial, RESULT), JSON.stringify({ ...result, templateFile, assetManifestFile }));
      await rename(partial, this.#directory);
      await this.#deleteOthers();
    } catch (error) {
      // The installation may belong to another user, or the disk be full: the next start synthesizes again.
      if (!isFileError(error)) throw error;
      await Promise.allSettled([rm(partial, { recursive: true, force: true })]);
    }
  }

  async #deleteOthers(): Promise<void> {
    const directory = dirname(this.#prefix);
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      if (!path.startsWith(this.#prefix) || path === this.#directory) continue;
      await rm(join(path, RESULT), { force: true });
      await rm(path, { recursive: true, force: true });
    }
  }

  #sources(): Sources {
    const readAt = Date.now();
    const fingerprints = new Fingerprints();
    const files = sourceDirectories.flatMap((directory) =>
      readdirSync(join(this.#root, directory), { recursive: true, encoding: "utf8" })
        .sort()
        .map((name) => join(directory, name)),
    );
    const states = [...files, ...sourceFiles].map(
      (file) => [file, fingerprints.of(join(this.#root, file))] as const,
    );
    const { outdir: _, ...settings } = this.#props;
    const texts = states.map(([file, state]) => [file, state?.text]);
    const text = JSON.stringify([process.version, settings, texts]);
    return {
      hash: createHash("sha256").update(text).digest("hex"),
      changedAt: Math.max(...states.map(([, state]) => state?.changedAt ?? 0)),
      readAt,
    };
  }
}

interface Sources {
  readonly hash: string;
  /** When the last of them changed, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly readAt: number;
}

function isFileError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}
