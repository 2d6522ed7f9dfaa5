import { readFileSync, statSync } from "node:fs";
import { writeFileAtomic } from "./write-file-atomic.ts";

/** What a bundle was made of and what came of it. */
interface BundleRecord {
  /** What else decides: the options, the bundler's version, which packages there are. */
  readonly making: string;
  /** The stamps of all files, read or written. */
  readonly stamps: Readonly<Record<string, string>>;
}

/** A file that has just changed can change once more within the same step of the file system's clock. */
const CLOCK_STEP_MS = 20;

/**
 * Tells whether a bundle is what bundling it again would give.
 *
 * @param recordFile where `recordBundle` noted it
 * @param making as it was given there
 * @param stamps of the files as they are
 * @returns false also when nothing, or nothing readable, is noted
 */
export function isBundleFresh(recordFile: string, making: string, stamps: Fingerprints): boolean {
  const record = readRecord(recordFile);
  if (record?.making !== making) return false;
  return Object.entries(record.stamps).every(([file, stamp]) => stamps.of(file)?.text === stamp);
}

/**
 * Notes what a bundle was made of. One of whose inputs has changed since the bundler began is not noted: nobody
 * knows whether it has the old content or the new one.
 *
 * @param recordFile where to; not in the bundle's folder, which is uploaded
 * @param making what else decides
 * @param files absolute paths of what was read and what was written
 * @param began when the bundler began, in milliseconds since 1970
 * @param stamps of the files as they are afterwards
 */
export function recordBundle(
  recordFile: string,
  making: string,
  files: { readonly read: readonly string[]; readonly written: readonly string[] },
  began: number,
  stamps: Fingerprints,
): void {
  const isSettled = (file: string) => (stamps.of(file)?.changed ?? began) < began - CLOCK_STEP_MS;
  if (!files.read.every(isSettled)) return;
  const all = [...files.read, ...files.written];
  const record = {
    making,
    stamps: Object.fromEntries(all.map((file) => [file, stamps.of(file)?.text ?? ""])),
  };
  writeFileAtomic(recordFile, JSON.stringify(record satisfies BundleRecord));
}

interface Stamp {
  readonly text: string;
  /** When the file last changed in any way, in milliseconds since 1970. */
  readonly changed: number;
}

/** The stamps of files at one moment: each file is looked at once. */
export class Fingerprints {
  readonly #found = new Map<string, Stamp | undefined>();

  /** @returns undefined for a file that is not there */
  of(file: string): Stamp | undefined {
    if (!this.#found.has(file)) this.#found.set(file, stampOf(file));
    return this.#found.get(file);
  }
}

/**
 * As in Git's index: size, times and inode. The time of the last change of state (`ctime`) is the file system's own,
 * so that a tool that restores a file with its old time does not deceive.
 */
function stampOf(file: string): Stamp | undefined {
  try {
    const { size, mtimeNs, ctimeNs, ino } = statSync(file, { bigint: true });
    return { text: [size, mtimeNs, ctimeNs, ino].join(" "), changed: Number(ctimeNs / 1_000_000n) };
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
