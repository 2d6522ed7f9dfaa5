import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundleFunctions } from "../../../infra/build/bundle.ts";
import { Fingerprints, isBundleFresh, recordBundle } from "../../../infra/build/bundle-cache.ts";

const names = ["one", "two"];
let project: string;
let outdir: string;
beforeEach(() => {
  project = `${mkdtempSync(join(tmpdir(), "bundle-test-"))}/`;
  outdir = join(project, "cdk.out", "bundles");
  write(
    "functions/one/index.ts",
    'import { one } from "../../lib/one.ts";\nexport const handler = () => one;\n',
  );
  write("functions/two/index.ts", "export const handler = () => 2;\n");
  write("lib/one.ts", "export const one: number = 1;\nexport const unused = 0;\n");
  write("package.json", '{ "type": "module" }');
  // What has just been written is bundled once more: it could still change under the same stamp.
  while (bundleFunctions(names, outdir, project).length > 0);
});
afterEach(() => rmSync(project, { recursive: true }));

function write(file: string, content: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), content);
}

function contents(directory: string): string[] {
  return names.flatMap((name) =>
    ["index.mjs", "index.mjs.map"].map((file) => readFileSync(join(directory, name, file), "utf8")),
  );
}

/** The bundles as they would be had there never been any. */
function fresh(): string[] {
  const elsewhere = join(project, "cdk.out", "elsewhere");
  bundleFunctions(names, elsewhere, project);
  return contents(elsewhere);
}

describe("a bundle that is there already", () => {
  it("is kept while nothing has changed, and is what a fresh one would be", () => {
    const before = contents(outdir);

    expect(bundleFunctions(names, outdir, project)).toEqual([]);
    expect(contents(outdir)).toEqual(before);
    expect(fresh()).toEqual(before);
  });

  it.each<[string, () => void, string[]]>([
    ["an input has changed", () => write("lib/one.ts", "export const one: number = 3;\n"), ["one"]],
    [
      "its entry point has changed",
      () => write("functions/two/index.ts", "export const handler = 3;\n"),
      ["two"],
    ],
    [
      "an input has come",
      () => {
        write("functions/two/index.ts", 'export { more as handler } from "./more.ts";\n');
        write("functions/two/more.ts", "export const more = () => 4;\n");
      },
      ["two"],
    ],
    ["it has been changed itself", () => appendFileSync(join(outdir, "two/index.mjs"), "//"), ["two"]],
    ["it has been deleted", () => rmSync(join(outdir, "one"), { recursive: true }), ["one"]],
    ["its record cannot be read", () => writeFileSync(join(outdir, "one.json"), '{"making":'), ["one"]],
    [
      "the options are others",
      () => {
        const record = join(outdir, "one.json");
        writeFileSync(record, readFileSync(record, "utf8").replace("node24", "node22"));
      },
      ["one"],
    ],
    ["other packages are installed", () => write("package-lock.json", "{}"), names],
  ])("is made anew when %s, and no other with it", (_, change, expected) => {
    change();

    expect(bundleFunctions(names, outdir, project)).toEqual(expected);
    expect(contents(outdir)).toEqual(fresh());
  });

  it("does not hide that an input has been deleted", () => {
    rmSync(join(project, "lib/one.ts"));

    expect(() => bundleFunctions(names, outdir, project)).toThrow(
      /Could not resolve "\.\.\/\.\.\/lib\/one\.ts"/,
    );
  });
});

describe("the record of a bundle", () => {
  it.each([
    ["is kept when its inputs are older than it", Date.now() + 60_000, true],
    ["is not kept when an input has changed since the bundler began", Date.now() - 60_000, false],
  ])("%s", (_, began, isKept) => {
    const file = join(project, "record.json");
    const read = [join(project, "lib/one.ts")];
    recordBundle(file, "options", { read, written: [] }, began, new Fingerprints());

    expect(isBundleFresh(file, "options", new Fingerprints())).toBe(isKept);
    expect(isBundleFresh(file, "other options", new Fingerprints())).toBe(false);
  });
});
