import { appendFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { bundleFunctions } from "../../../infra/build/bundle.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const names = ["one", "two"];
let project: string;
let outdir: string;
beforeEach(async () => {
  project = `${temporaryDirectory(onTestFinished)}/`;
  outdir = join(project, "cdk.out", "bundles");
  write("functions/one/index.ts", 'import { one } from "../../lib/one.ts";\nexport const handler = one;\n');
  write("functions/two/index.ts", "export const handler = () => 2;\n");
  write("lib/one.ts", "export const one: number = 1;\nexport const unused = 0;\n");
  write("package.json", '{ "type": "module" }');
  await bundleFunctions(names, outdir, project);
});

/** Writes a file that is older than the next build. */
function write(file: string, content: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), content);
  utimesSync(join(project, file), 1, 1);
}

function contents(directory: string): string[] {
  return names.flatMap((name) =>
    ["index.mjs", "index.mjs.map"].map((file) => readFileSync(join(directory, name, file), "utf8")),
  );
}

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
    ["its entry has changed", () => write("functions/two/index.ts", "export const handler = 3;\n"), ["two"]],
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
    [
      "the options have changed",
      () => {
        const record = join(outdir, "one.json");
        writeFileSync(record, readFileSync(record, "utf8").replace(/(?<=bundle\.ts":")\w+/, ""));
      },
      ["one"],
    ],
    ["other packages are installed", () => write("package-lock.json", "{}"), names],
  ])("is rebuilt when %s, and no other one is", async (_, change, expected) => {
    change();
    expect(await bundleFunctions(names, outdir, project)).toEqual(expected);
    expect(contents(outdir)).toEqual(await uncached());
  });

  it("is rebuilt after a build during which an input has changed, and may be that of the old content", async () => {
    write("lib/one.ts", "export const one: number = 5;\n");
    const duringBuild = Date.now() / 1_000 + 60;
    utimesSync(join(project, "lib/one.ts"), duringBuild, duringBuild);
    expect(await bundleFunctions(names, outdir, project)).toEqual(["one"]);
    expect(await bundleFunctions(names, outdir, project)).toEqual(["one"]);
  });

  it("does not hide that an input was deleted", async () => {
    rmSync(join(project, "lib/one.ts"));
    const built = bundleFunctions(names, outdir, project);
    await expect(built).rejects.toThrow('Could not resolve "../../lib/one.ts"');
  });
});
