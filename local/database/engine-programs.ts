import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { CommandError } from "../../cli/errors.ts";

export interface EngineProgram {
  readonly name: string;
  command(host: string, port: number, directory: string | undefined): readonly string[];
}

const require = createRequire(import.meta.url);

/** Finds dynoxide, as an installed package or on the PATH. @throws {CommandError} if there is none */
export function chooseEngine(path = process.env.PATH ?? ""): EngineProgram {
  const file = process.platform === "win32" ? "dynoxide.exe" : "dynoxide";
  const binary = [...packageDirectories(), ...path.split(delimiter)]
    .filter((directory) => directory !== "")
    .map((directory) => join(directory, file))
    .find((candidate) => existsSync(candidate));
  if (binary === undefined)
    throw new CommandError(
      "No DynamoDB engine is installed. Run `npm ci` without --omit=optional, which installs dynoxide on most platforms; " +
        "or put the program dynoxide (https://github.com/nubo-db/dynoxide) on the PATH; or set DYNAMODB_ENDPOINT.",
    );
  return {
    name: "dynoxide",
    command: (host, port, directory) => [
      ...[binary, "serve", "--host", host, "--port", String(port)],
      ...(directory === undefined ? [] : ["--db-path", join(directory, "dynoxide.db")]),
    ],
  };
}

function packageDirectories(): string[] {
  try {
    return [dirname(require.resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`))];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return [];
    throw error;
  }
}
