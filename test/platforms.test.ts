import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface LockedPackage {
  readonly version: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

it.each(["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"])(
  "the lock file has the engine for %s, only there and optional",
  (platform) => {
    const name = `@dynoxide/${platform}`;
    const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
      packages: Record<string, LockedPackage>;
    };
    const [os, cpu] = platform.split("-");

    expect(packages[`node_modules/${name}`]).toMatchObject({
      version: optionalDependencies[name],
      optional: true,
      os: [os],
      cpu: [cpu],
    });
  },
);
