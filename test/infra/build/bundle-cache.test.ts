import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { bundleFunctions } from "../../../infra/build/bundle.ts";
import {
  CLOCK_RESOLUTION_MS,
  contentHashes,
  isBundleFresh,
  recordBundle,
} from "../../../infra/build/bundle-cache.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const names = ["one", "two"];
let project: string;
let outdir: string;
beforeEach(async () => {
  project = `${temporaryDirectory(onTestFinished)}/`;
  outdir = join(project, "cdk.out", "bundles");
  write(
    "functions/one/index.ts",
    'import { one } from "../../lib/one.ts";\nexport const handler = () => one;\n',
  );
  write("functions/two/index.ts", "export const handler = () => 2;\n");
  write("lib/one.ts", "export const one: number = 1;\nexport const unused = 0;\n");
  write("package.json", '{ "type": "module" }');
  // Bundles of files that have just been written are not recorded: the files could change without a new time.
  while (Date.now() <= changedAt("package.json") + CLOCK_RESOLUTION_MS);
  await bundleFunctions(names, outdir, project);
});

function write(file: string, content: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), content);
}

function changedAt(file: string): number {
  return statSync(join(project, file)).mtimeMs;
}

function contents(directory: string): string[] {
  return names.flatMap((name) =>
    ["index.mjs", "index.mjs.map"].map((file) => readFileSync(join(directory, name, file), "utf8")),
  );
}

/** The bundles from a build without a cache. */
async function uncached(): Promise<string[]> {
  const elsewhere = join(project, "cdk.out", "elsewhere");
  await bundleFunctions(names, elsewhere, project);
  return contents(elsewhere);
}

describe("an existing bundle", () => {
  it("is kept while nothing has changed, and equals an uncached one", async () => {
    const before = contents(outdir);

    expect(await bundleFunctions(names, outdir, project)).toEqual([]);
    expect(contents(outdir)).toEqual(before);
    expect(await uncached()).toEqual(before);
  });

  it.each<[string, () => void, string[]]>([
    ["an input has changed", () => write("lib/one.ts", "export const one: number = 3;\n"), ["one"]],
    [
      "its entry point has changed",
      () => write("functions/two/index.ts", "export const handler = 3;\n"),
      ["two"],
    ],
    [
      "an input was added",
      () => {
        write("functions/two/index.ts", 'export { more as handler } from "./more.ts";\n');
        write("functions/two/more.ts", "export const more = () => 4;\n");
      },
      ["two"],
    ],
    ["the bundle itself has changed", () => appendFileSync(join(outdir, "two/index.mjs"), "//"), ["two"]],
    ["the bundle was deleted", () => rmSync(join(outdir, "one"), { recursive: true }), ["one"]],
    ["its record is unreadable", () => writeFileSync(join(outdir, "one.json"), '{"configuration":'), ["one"]],
    [
      "the options have changed",
      () => {
        const record = join(outdir, "one.json");
        writeFileSync(record, readFileSync(record, "utf8").replace("node24", "node22"));
      },
      ["one"],
    ],
    ["other packages are installed", () => write("package-lock.json", "{}"), names],
  ])("is rebuilt when %s, and no other one is", async (_, change, expected) => {
    change();

    expect(await bundleFunctions(names, outdir, project)).toEqual(expected);
    expect(contents(outdir)).toEqual(await uncached());
  });

  it("does not hide that an input was deleted", async () => {
    rmSync(join(project, "lib/one.ts"));

    await expect(bundleFunctions(names, outdir, project)).rejects.toThrow(
      /Could not resolve "\.\.\/\.\.\/lib\/one\.ts"/,
    );
  });
});

describe("the record of a bundle", () => {
  it.each([
    ["is written when its inputs are older than the build", 60_000, true],
    ["is not written when an input has changed since the bundler started", -60_000, false],
  ])("%s", (_, afterInputs, isWritten) => {
    const file = join(project, "record.json");
    const read = [join(project, "lib/one.ts")];
    const startedAt = changedAt("lib/one.ts") + afterInputs;
    recordBundle(file, "options", { read, written: [] }, startedAt, contentHashes());

    expect(isBundleFresh(file, "options", contentHashes())).toBe(isWritten);
    expect(isBundleFresh(file, "other options", contentHashes())).toBe(false);
  });
});
