import { readFileSync, statSync } from "node:fs";
import { writeFileAtomic } from "./write-file-atomic.ts";

/* Skips bundles whose inputs have not changed. docs/adr/0006 says why esbuild's own incremental builds cannot do that. */

/** What a bundle was built from. */
interface BundleRecord {
  /** What determines the bundle apart from its files: options, esbuild's version, installed packages. */
  readonly configuration: string;
  /** The fingerprints of all files that were read or written. */
  readonly fingerprints: Readonly<Record<string, string>>;
}

/** The resolution of file times: within it, a file can change twice and keep its fingerprint. */
export const CLOCK_RESOLUTION_MS = 20;

/**
 * Whether bundling again would give the same bundle.
 *
 * @param recordFile the file that `recordBundle` has written; false if it is absent or unreadable
 */
export function isBundleFresh(
  recordFile: string,
  configuration: string,
  fingerprints: Fingerprints,
): boolean {
  const record = readRecord(recordFile);
  if (record?.configuration !== configuration) return false;
  return Object.entries(record.fingerprints).every(
    ([file, fingerprint]) => fingerprints.of(file)?.text === fingerprint,
  );
}

/**
 * Records what a bundle was built from. Nothing is recorded if an input has changed since the bundler started,
 * because the bundle may have its old or its new content.
 *
 * @param recordFile outside of the bundle's directory, which is uploaded
 * @param files absolute paths
 * @param startedAt when the bundler started, in milliseconds since 1970
 * @param fingerprints taken after bundling
 */
export function recordBundle(
  recordFile: string,
  configuration: string,
  files: { readonly read: readonly string[]; readonly written: readonly string[] },
  startedAt: number,
  fingerprints: Fingerprints,
): void {
  const isUnchanged = (file: string) =>
    (fingerprints.of(file)?.changedAt ?? startedAt) < startedAt - CLOCK_RESOLUTION_MS;
  if (!files.read.every(isUnchanged)) return;
  const all = [...files.read, ...files.written];
  const record = {
    configuration,
    fingerprints: Object.fromEntries(all.map((file) => [file, fingerprints.of(file)?.text ?? ""])),
  };
  writeFileAtomic(recordFile, JSON.stringify(record satisfies BundleRecord));
}

interface Fingerprint {
  readonly text: string;
  /** In milliseconds since 1970. */
  readonly changedAt: number;
}

/** The fingerprints of files at one moment; each file is read from the file system once. */
export class Fingerprints {
  readonly #cache = new Map<string, Fingerprint | undefined>();

  /** @returns undefined if the file does not exist */
  of(file: string): Fingerprint | undefined {
    if (!this.#cache.has(file)) this.#cache.set(file, readFingerprint(file));
    return this.#cache.get(file);
  }
}

/**
 * Size, times and inode, as in Git's index. The file system itself sets `ctime`, so tools that restore old
 * modification times cannot hide a change.
 */
function readFingerprint(file: string): Fingerprint | undefined {
  try {
    const { size, mtimeNs, ctimeNs, ino } = statSync(file, { bigint: true });
    return { text: [size, mtimeNs, ctimeNs, ino].join(" "), changedAt: Number(ctimeNs / 1_000_000n) };
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

function readRecord(file: string): BundleRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
