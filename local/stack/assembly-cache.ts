import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDirectory } from "../../cli/create-directory.ts";
import type { AppProps } from "./synthesis-worker.ts";
import type { SynthesizedStack } from "./template.ts";

/** Everything that determines an assembly, apart from the stage and its settings. */
const sourceDirectories = ["functions", "infra", "lib", "local/stack"];
const sourceFiles = [
  "cdk.json",
  "node_modules/.package-lock.json",
  "package-lock.json",
  "package.json",
  "tsconfig.json",
];

const RESULT = "result.json";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

export type AssemblyCache = ReturnType<typeof createAssemblyCache>;

/**
 * Keeps the assembly of the last start of each stage, so that a start without changes need not load the CDK
 * and bundle the functions. Its directory is named after a hash of all that it was made from.
 */
export function createAssemblyCache(props: AppProps, root = projectRoot) {
  const { outdir } = props;
  const parent = join(root, "node_modules", ".cache", "local-run");
  const prefix = `assembly-${props.stage}-`;
  const name = prefix + hashSources(props, root);
  const directory = join(parent, name);

  async function deleteOthers(): Promise<void> {
    for (const other of await readdir(parent)) {
      if (!other.startsWith(prefix) || other === name) continue;
      await rm(join(parent, other, RESULT), { force: true });
      await rm(join(parent, other), { recursive: true, force: true });
    }
  }

  return {
    /** Copies the cached assembly. @returns undefined if there is none of these sources */
    async restore(): Promise<SynthesizedStack | undefined> {
      if (!existsSync(join(directory, RESULT))) return undefined;
      try {
        await cp(directory, outdir, { recursive: true });
        // Another run may have deleted files of the assembly before they were copied: this one first.
        const result = await readFile(join(directory, RESULT), "utf8");
        return { ...JSON.parse(result), directory: outdir };
      } catch (error) {
        if (isFileError(error)) return undefined;
        throw error;
      }
    },
    /** Stores a copy of a new assembly, unless a source has changed meanwhile. */
    async store(result: SynthesizedStack): Promise<void> {
      if (prefix + hashSources(props, root) !== name) return;
      const partial = join(parent, prefix + randomUUID());
      try {
        createDirectory(partial);
        for (const asset of await readdir(outdir))
          if (asset.startsWith("asset."))
            await cp(join(outdir, asset), join(partial, asset), { recursive: true });
        await writeFile(join(partial, RESULT), JSON.stringify(result));
        await rename(partial, directory);
        await deleteOthers();
      } catch (error) {
        // The installation may belong to another user, or the disk be full: the next start synthesizes again.
        if (!isFileError(error)) throw error;
        await Promise.allSettled([rm(partial, { recursive: true, force: true })]);
      }
    },
  };
}

function hashSources({ outdir: _, ...settings }: AppProps, root: string): string {
  const files = sourceDirectories.flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort(),
  );
  const hash = createHash("sha256").update(JSON.stringify([process.version, settings]));
  for (const file of [...files, ...sourceFiles.map((name) => join(root, name))])
    if (existsSync(file)) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

function isFileError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}
