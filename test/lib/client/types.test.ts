import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const fixtures = "test/lib/client/fixtures";
const project = mkdtempSync(join(tmpdir(), "resource-api-consumer-"));

/** A project of somebody else's, which has installed this package. */
beforeAll(() => {
  mkdirSync(join(project, "node_modules/@types"), { recursive: true });
  symlinkSync(resolve("."), join(project, "node_modules/resource-api"));
  symlinkSync(resolve("node_modules/@types/node"), join(project, "node_modules/@types/node"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
  for (const name of readdirSync(fixtures)) copyFileSync(join(fixtures, name), join(project, name));
});
afterAll(() => rmSync(project, { recursive: true }));

describe("the client's types", () => {
  it.each([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])("tell right calls from wrong ones (module %s, resolution %s)", (module, moduleResolution) => {
    const options = {
      module,
      moduleResolution,
      target: "es2022",
      lib: ["es2022"],
      types: ["node"],
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      // The client's declarations are checked as well.
      skipLibCheck: false,
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
    const { stdout, status } = spawnSync(resolve("node_modules/.bin/tsc"), ["-p", project], {
      encoding: "utf8",
    });

    expect(stdout).toBe("");
    expect(status).toBe(0);
  });
});
