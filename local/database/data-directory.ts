import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { StartError } from "../start-error.ts";
import { lockDirectory } from "./lock.ts";

/** The directories of a run, its own until `close`. */
export interface Directories {
  /** Where the data is; undefined if nothing is kept. */
  readonly dataDirectory: string | undefined;
  /** Where the run puts what it needs only while it lasts. */
  readonly workDirectory: string;
  close(): Promise<void>;
}

/**
 * Makes the data directory if there is none, and claims it for this process.
 *
 * @param setting a path, or `memory` for a run that keeps nothing
 * @throws {StartError} if another run uses the directory, or it can't be used at all
 */
export async function openDirectories(setting: string): Promise<Directories> {
  if (setting === "memory") {
    const workDirectory = await mkdtemp(join(tmpdir(), "resource-api-"));
    const close = () => rm(workDirectory, { recursive: true, force: true });
    return { dataDirectory: undefined, workDirectory, close };
  }
  const directory = resolve(setting);
  try {
    await makeDirectory(directory);
    const lock = lockDirectory(directory);
    await deleteLeftovers(directory);
    return { dataDirectory: directory, workDirectory: directory, close: async () => lock.release() };
  } catch (error) {
    if (error instanceof StartError || !(error instanceof Error)) throw error;
    throw new StartError(`DATA_DIR ${directory} can't be used: ${error.message}`);
  }
}

/**
 * Deletes what is of no use to another run. The CDK copies each version of a bundle into the assembly, perhaps not
 * to its end when it is killed; the bundles themselves stay, and those that are up to date are not made again.
 */
async function deleteLeftovers(directory: string): Promise<void> {
  await rm(join(directory, "run.json"), { force: true });
  const assembly = join(directory, "assembly");
  if (!existsSync(assembly)) return;
  for (const name of await readdir(assembly))
    if (name.startsWith("asset.")) await rm(join(assembly, name), { recursive: true, force: true });
}

/** Makes a directory and those above it. Node's own way never ends where nothing can be made, as below /proc. */
async function makeDirectory(directory: string): Promise<void> {
  if (await isMade(directory)) return;
  if (dirname(directory) !== directory) await makeDirectory(dirname(directory));
  if (!(await isMade(directory))) throw new Error("no directory can be made there");
}

async function isMade(directory: string): Promise<boolean> {
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
