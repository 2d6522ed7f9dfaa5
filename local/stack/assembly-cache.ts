import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { CLOCK_RESOLUTION_MS, Fingerprints } from "../../infra/build/bundle-cache.ts";
import { writeFileAtomic } from "../../infra/build/write-file-atomic.ts";
import type { AppProps, SynthesisResult } from "./synthesis-worker.ts";

/** Everything that determines an assembly, apart from the stage and its settings. */
const sourceDirectories = ["functions", "infra", "lib", "local/stack"];
const sourceFiles = ["node_modules/.package-lock.json", "package-lock.json", "package.json", "tsconfig.json"];

const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Which assembly was made from which sources. It is replaced atomically, and before the assembly before it is deleted. */
const Entry = z.object({
  sources: z.string(),
  directory: z.string(),
  stackName: z.string(),
  template: z.string(),
  assetManifest: z.string(),
  cdkModules: z.array(z.string()).readonly(),
});

/**
 * Keeps the assembly of the last start of each stage, so that a start without changes need not load the CDK and bundle
 * the functions. Several runs may use it at the same time: each has a copy of its own.
 */
export class AssemblyCache {
  readonly #props: AppProps;
  readonly #root: string;
  readonly #entryFile: string;
  readonly #prefix: string;
  /** The sources as they were when the synthesis began. */
  readonly #before: Sources;

  /**
   * @param props what the app is synthesized with; the assembly is copied from or to `outdir`
   * @param root the project's directory
   */
  constructor(props: AppProps, root = projectRoot) {
    this.#props = props;
    this.#root = root;
    this.#prefix = join(root, "node_modules", ".cache", "resource-api", `assembly-${props.stage}`);
    this.#entryFile = `${this.#prefix}.json`;
    this.#before = this.#sources();
  }

  /** Whether the sources are those of the cached assembly. */
  isFresh(): boolean {
    return this.#entry()?.sources === this.#before.text;
  }

  /** Copies the cached assembly. @returns undefined if there is none of these sources */
  async restore(): Promise<SynthesisResult | undefined> {
    const entry = this.#entry();
    if (entry?.sources !== this.#before.text) return undefined;
    const { outdir } = this.#props;
    try {
      await cp(entry.directory, outdir, { recursive: true });
    } catch (error) {
      if (isFileError(error)) return undefined;
      throw error;
    }
    // Another run may have deleted files of the assembly before they were copied.
    if (this.#entry()?.directory !== entry.directory) return undefined;
    return {
      stackName: entry.stackName,
      templateFile: join(outdir, entry.template),
      assetManifestFile: join(outdir, entry.assetManifest),
      cdkModules: entry.cdkModules,
    };
  }

  /** Stores a copy of a new assembly, unless a source has changed during the synthesis or the cache can't be written. */
  async store({ stackName, templateFile, assetManifestFile, cdkModules }: SynthesisResult): Promise<void> {
    const after = this.#sources();
    if (after.text !== this.#before.text || after.changedAt >= this.#before.readAt - CLOCK_RESOLUTION_MS)
      return;
    const directory = `${this.#prefix}-${randomUUID()}`;
    const [template, assetManifest] = [basename(templateFile), basename(assetManifestFile)];
    try {
      await mkdir(directory, { recursive: true });
      for (const name of await readdir(this.#props.outdir))
        if (name === template || name === assetManifest || name.startsWith("asset."))
          await cp(join(this.#props.outdir, name), join(directory, name), { recursive: true });
      const entry = { sources: after.text, directory, stackName, template, assetManifest, cdkModules };
      writeFileAtomic(this.#entryFile, JSON.stringify(entry satisfies z.input<typeof Entry>));
      await this.#deleteOthers(directory);
    } catch (error) {
      // The installation may belong to another user, or the disk be full: the next start synthesizes again.
      if (!isFileError(error)) throw error;
      await Promise.allSettled([rm(directory, { recursive: true, force: true })]);
    }
  }

  async #deleteOthers(kept: string): Promise<void> {
    const directory = dirname(this.#prefix);
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      if (path.startsWith(`${this.#prefix}-`) && path !== kept)
        await rm(path, { recursive: true, force: true });
    }
  }

  #entry(): z.output<typeof Entry> | undefined {
    try {
      return Entry.safeParse(JSON.parse(readFileSync(this.#entryFile, "utf8"))).data;
    } catch (error) {
      if (isFileError(error) || error instanceof SyntaxError) return undefined;
      throw error;
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
    const text = JSON.stringify([
      process.version,
      settings,
      states.map(([file, state]) => [file, state?.text]),
    ]);
    return {
      text: createHash("sha256").update(text).digest("hex"),
      changedAt: Math.max(...states.map(([, state]) => state?.changedAt ?? 0)),
      readAt,
    };
  }
}

interface Sources {
  readonly text: string;
  /** When the last of them changed, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly readAt: number;
}

function isFileError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}
