import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AppProps, SynthesisResult } from "./synthesis-worker.ts";

/** Everything that determines an assembly, apart from the stage and its settings. */
const sourceDirectories = ["functions", "infra", "lib", "local/stack"];
const sourceFiles = ["node_modules/.package-lock.json", "package-lock.json", "package.json", "tsconfig.json"];

/** In the directory of an assembly: the `SynthesisResult`. */
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
  readonly #directory: string;

  /** @param props what the app is synthesized with; the assembly is copied from or to `outdir` */
  constructor(props: AppProps, root = projectRoot) {
    this.#props = props;
    this.#root = root;
    this.#prefix = join(root, "node_modules", ".cache", "resource-api", `assembly-${props.stage}-`);
    this.#directory = this.#prefix + this.#hashSources();
  }

  isFresh(): boolean {
    return existsSync(join(this.#directory, RESULT));
  }

  /** Copies the cached assembly. @returns undefined if there is none of these sources */
  async restore(): Promise<SynthesisResult | undefined> {
    if (!this.isFresh()) return undefined;
    const { outdir } = this.#props;
    try {
      await cp(this.#directory, outdir, { recursive: true });
      // Another run may have deleted files of the assembly before they were copied: this one first.
      const result = await readFile(join(this.#directory, RESULT), "utf8");
      return { ...JSON.parse(result), directory: outdir };
    } catch (error) {
      if (isFileError(error)) return undefined;
      throw error;
    }
  }

  /** Stores a copy of a new assembly, unless a source has changed during the synthesis or the cache can't be written. */
  async store(result: SynthesisResult): Promise<void> {
    if (this.#prefix + this.#hashSources() !== this.#directory) return;
    const { outdir } = this.#props;
    const partial = this.#prefix + randomUUID();
    try {
      await mkdir(partial, { recursive: true });
      for (const name of await readdir(outdir))
        if (name.startsWith("asset.")) await cp(join(outdir, name), join(partial, name), { recursive: true });
      await writeFile(join(partial, RESULT), JSON.stringify(result));
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

  #hashSources(): string {
    const files = sourceDirectories.flatMap((directory) =>
      readdirSync(join(this.#root, directory), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .sort(),
    );
    const { outdir: _, ...settings } = this.#props;
    const hash = createHash("sha256").update(JSON.stringify([process.version, settings]));
    for (const file of [...files, ...sourceFiles.map((name) => join(this.#root, name))])
      if (existsSync(file)) hash.update(`\0${file}\0`).update(readFileSync(file));
    return hash.digest("hex");
  }
}

function isFileError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}
