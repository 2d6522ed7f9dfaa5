import { spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { clientsProject, manifestIn } from "../support/programs/consumer.ts";

const fixtures = "test/client/fixtures";
let project: string;
beforeAll(() => {
  project = clientsProject();
  for (const name of readdirSync(fixtures)) copyFileSync(join(fixtures, name), join(project, name));
});
afterAll(() => rmSync(project, { recursive: true }));

describe("the client package", () => {
  it("contains four files and depends only on openapi-fetch", () => {
    const files = readdirSync(join(project, "node_modules/resource-api"));
    const { name, version, dependencies, exports } = manifestIn(project, "resource-api");

    expect(files.sort()).toEqual(["index.d.ts", "index.js", "openapi.d.ts", "package.json"]);
    expect({ name, version }).toEqual({ name: manifest.name, version: manifest.version });
    expect(dependencies).toEqual({ "openapi-fetch": manifest.dependencies["openapi-fetch"] });
    expect(Object.keys(exports)).toEqual(Object.keys(manifest.exports));
  });
});

describe("the client's types", () => {
  it.each([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])("accept valid calls and reject invalid ones (module %s, resolution %s)", (module, moduleResolution) => {
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
      // Also checks the client's own declarations.
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
