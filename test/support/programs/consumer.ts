import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SERVICE_NAME } from "../../../lib/construct-ids.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

/** The packages besides the client: its dependencies and Node's types. */
const others = ["openapi-fetch", "openapi-typescript-helpers", "@types/node"];

/** Creates a separate project in which the client's package from `npm pack` is installed. @returns its directory */
export function clientsProject(at: Parameters<typeof temporaryDirectory>[0]): string {
  const directory = temporaryDirectory(at);
  const modules = join(directory, "node_modules");
  mkdirSync(join(modules, SERVICE_NAME), { recursive: true });
  mkdirSync(join(modules, "@types"));
  const tarball = packClient(directory);
  execFileSync("tar", ["-xzf", tarball, "-C", join(modules, SERVICE_NAME), "--strip-components=1"]);
  for (const name of others) symlinkSync(resolve("node_modules", name), join(modules, name));
  writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "module" }));
  return directory;
}

function packClient(directory: string): string {
  const args = ["pack", "./client", "--json", "--pack-destination", directory];
  const [packed] = JSON.parse(execFileSync("npm", args, { encoding: "utf8", stdio: "pipe" }));
  return join(directory, packed.filename);
}

export function manifestIn(directory: string, name: string) {
  return JSON.parse(readFileSync(join(directory, "node_modules", name, "package.json"), "utf8"));
}
