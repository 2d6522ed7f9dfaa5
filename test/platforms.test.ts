import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface LockedPackage {
  readonly version: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, LockedPackage>;
};

it.each(["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"])(
  "the lock file has the engine for %s, only there and optional",
  (platform) => {
    const name = `@dynoxide/${platform}`;
    const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
    const [os, cpu] = platform.split("-");

    expect(packages[`node_modules/${name}`]).toMatchObject({
      version: optionalDependencies[name],
      optional: true,
      os: [os],
      cpu: [cpu],
    });
  },
);

/** npm leaves out packages for other platforms when it cannot get them; then `npm ci` there installs no program. */
it("the lock file has the programs of every platform", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isInstalled(path, name))
      .map((name) => `${name} for ${path}`),
  );
  expect(missing).toEqual([]);
});

it("the lock file names no registry", () => {
  const named = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);
  expect(named).toEqual([]);
});

/** Whether a package is in the lock file at a place where Node finds it from `path`. */
function isInstalled(path: string, name: string): boolean {
  const folders = path.split(/(?=\/node_modules\/)/).map((_, i, all) => all.slice(0, i + 1).join(""));
  return ["", ...folders].some((folder) => `${folder}/node_modules/${name}`.replace(/^\//, "") in packages);
}
