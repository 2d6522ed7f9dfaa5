import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { StartError } from "../start-error.ts";
import { lockDirectory } from "./lock.ts";

/** The directories of a run, locked until `close`. */
export interface Directories {
  /** Undefined for an in-memory run. */
  readonly dataDirectory: string | undefined;
  /** For the files that only this run needs. */
  readonly workDirectory: string;
  close(): Promise<void>;
}

/**
 * Creates the data directory if it does not exist, and locks it for this process.
 *
 * @param setting `DATA_DIR`: a path, or `memory` for an in-memory run
 * @throws {StartError} if another run uses the directory, or if it can't be created or written
 */
export async function openDirectories(setting: string): Promise<Directories> {
  if (setting === "memory") {
    const workDirectory = await mkdtemp(join(tmpdir(), "resource-api-"));
    const close = () => rm(workDirectory, { recursive: true, force: true });
    return { dataDirectory: undefined, workDirectory, close };
  }
  const directory = resolve(setting);
  try {
    await createDirectory(directory);
    const lock = lockDirectory(directory);
    await deleteLeftovers(directory);
    return { dataDirectory: directory, workDirectory: directory, close: async () => lock.release() };
  } catch (error) {
    if (error instanceof StartError || !(error instanceof Error)) throw error;
    throw new StartError(`DATA_DIR ${directory} can't be used: ${error.message}`);
  }
}

/**
 * Deletes files of the previous run. The CDK copies every version of a bundle into the assembly, and a kill may leave a
 * partial copy. The bundles themselves stay, so that only outdated ones are built again.
 */
async function deleteLeftovers(directory: string): Promise<void> {
  await rm(join(directory, "run.json"), { force: true });
  const assembly = join(directory, "assembly");
  if (!existsSync(assembly)) return;
  for (const name of await readdir(assembly))
    if (name.startsWith("asset.")) await rm(join(assembly, name), { recursive: true, force: true });
}

/**
 * Creates a directory and its parents. Node's recursive `mkdir` never returns where no directory can be created, such
 * as below /proc.
 */
async function createDirectory(directory: string): Promise<void> {
  if (await tryCreate(directory)) return;
  if (dirname(directory) !== directory) await createDirectory(dirname(directory));
  if (!(await tryCreate(directory))) throw new Error("no directory can be created there");
}

/** @returns false if the parent does not exist */
async function tryCreate(directory: string): Promise<boolean> {
  try {
    await mkdir(directory);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return false;
    if (code === "EEXIST") return true;
    throw error;
  }
}
