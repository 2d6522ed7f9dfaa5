import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createDirectory } from "../../cli/create-directory.ts";
import { CommandError } from "../../cli/errors.ts";
import { DATA_FORMAT } from "../../lib/construct-ids.ts";
import { lockDirectory } from "./lock.ts";

const FORMAT_FILE = "format";

/** The files of runs and engines. An interrupted atomic write leaves one with a further suffix. */
const dataFiles = [
  /^run\.(begun|pid|json(\.\w+)?|lock(-\w+)?)$/,
  /^(jobs|secrets)\.json(\.\w+)?$/,
  /^assembly$/,
  /^format$/,
  /^log\.jsonl(\.old)?$/,
  /^dynoxide\.db(-\w+)?$/,
];

export function isDataFile(name: string): boolean {
  return dataFiles.some((pattern) => pattern.test(name));
}

/**
 * Creates the data directory, locks it for this process, and lets only its owner read it.
 * @returns it, and a directory for what only this run needs; both are this run's until `close`
 * @throws {CommandError} if another run uses the directory, or if it can't be created or written
 */
export async function openDirectories(setting: string) {
  if (setting === "memory") {
    const workDirectory = await mkdtemp(join(tmpdir(), "service-"));
    const close = () => rm(workDirectory, { recursive: true, force: true });
    return { dataDirectory: undefined, workDirectory, close };
  }
  const directory = resolve(setting);
  try {
    createDirectory(directory);
    // Before anything changes. Files that are read-only may be so on purpose.
    for (const name of ["", ...readdirSync(directory).filter(isDataFile)])
      accessSync(join(directory, name), constants.R_OK | constants.W_OK);
    checkFormat(directory);
    const lock = lockDirectory(directory);
    writeFileSync(join(directory, FORMAT_FILE), `${DATA_FORMAT}\n`);
    await deleteLeftovers(directory);
    await restrictAccess(directory);
    return { dataDirectory: directory, workDirectory: directory, close: async () => lock.release() };
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    throw new CommandError(
      `DATA_DIR ${directory} can't be used: ${error.message}. Correct that, or choose another DATA_DIR.`,
    );
  }
}

/** @throws {CommandError} if a database has records in another format than this version reads */
function checkFormat(directory: string): void {
  if (!readdirSync(directory).some((name) => name.endsWith(".db"))) return;
  const file = join(directory, FORMAT_FILE);
  const format = existsSync(file) ? readFileSync(file, "utf8").trim() : "0";
  if (format !== String(DATA_FORMAT))
    throw new CommandError(
      `The records in ${directory} are in format ${format}, and this version reads ${DATA_FORMAT}. Use the version ` +
        `that wrote them or another DATA_DIR, or delete them with \`npm run reset -- "${directory}"\`.`,
    );
}

/** Deletes copies of bundles, of which a kill may leave a part. Not the bundles, which are built slowly. */
async function deleteLeftovers(directory: string): Promise<void> {
  await rm(join(directory, "run.json"), { force: true });
  const assembly = assemblyDirectory(directory);
  if (existsSync(assembly)) await deleteAssets(assembly, new Set());
}

export function assemblyDirectory(workDirectory: string): string {
  return join(workDirectory, "assembly");
}

/** Deletes the copies of bundles that the CDK made in an assembly, except for the used ones. */
export async function deleteAssets(assembly: string, used: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(assembly)) {
    const path = join(assembly, name);
    if (name.startsWith("asset.") && !used.has(path)) await rm(path, { recursive: true, force: true });
  }
}

/** A directory with other files keeps its permissions: it may be shared on purpose, such as /tmp. */
async function restrictAccess(directory: string): Promise<void> {
  const names = await readdir(directory);
  const dataNames = names.filter(isDataFile);
  if (dataNames.length === names.length) await chmod(directory, 0o700);
  for (const name of dataNames) {
    const path = join(directory, name);
    await chmod(path, (await stat(path)).isDirectory() ? 0o700 : 0o600);
  }
}
