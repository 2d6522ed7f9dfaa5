import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { writeFileAtomic } from "./write-file-atomic.ts";

/* Skips bundles whose inputs have not changed. docs/adr/0006 says why esbuild's own incremental builds cannot do that. */

/** What a bundle was built from. */
interface BundleRecord {
  /** What determines the bundle apart from its files: options, esbuild's version, installed packages. */
  readonly configuration: string;
  /** The hashes of all files that were read or written. */
  readonly hashes: Readonly<Record<string, string | undefined>>;
}

/** The resolution of file times. */
export const CLOCK_RESOLUTION_MS = 20;

/** Returns the hash of a file's content, read once; undefined if it does not exist. */
export type HashOf = (file: string) => string | undefined;

/** The hashes of files at one moment. */
export function contentHashes(): HashOf {
  const known = new Map<string, string | undefined>();
  return (file) => {
    if (!known.has(file)) {
      const content = readIfExists(file);
      known.set(file, content && hash("sha256", content));
    }
    return known.get(file);
  };
}

/**
 * Whether bundling again would give the same bundle.
 *
 * @param recordFile the file that `recordBundle` has written; false if it is absent or unreadable
 */
export function isBundleFresh(recordFile: string, configuration: string, hashOf: HashOf): boolean {
  const record = readRecord(recordFile);
  if (record?.configuration !== configuration) return false;
  return Object.entries(record.hashes).every(([file, expected]) => hashOf(file) === expected);
}

/**
 * Records what a bundle was built from. Nothing is recorded if an input has changed since the bundler started,
 * because the bundle may have its old or its new content.
 *
 * @param recordFile outside of the bundle's directory, which is uploaded
 * @param files absolute paths
 * @param startedAt when the bundler started, in milliseconds since 1970
 */
export function recordBundle(
  recordFile: string,
  configuration: string,
  { read, written }: { readonly read: readonly string[]; readonly written: readonly string[] },
  startedAt: number,
  hashOf: HashOf,
): void {
  if (!read.every((file) => statSync(file).mtimeMs < startedAt - CLOCK_RESOLUTION_MS)) return;
  const hashes = Object.fromEntries([...read, ...written].map((file) => [file, hashOf(file)]));
  writeFileAtomic(recordFile, JSON.stringify({ configuration, hashes } satisfies BundleRecord));
}

function readIfExists(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

function readRecord(file: string): BundleRecord | undefined {
  try {
    return JSON.parse(String(readIfExists(file)));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
