import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createAssemblyCache } from "../../../local/stack/assembly-cache.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let root: string;
beforeEach(() => {
  root = temporaryDirectory(onTestFinished);
  for (const name of ["functions/todos", "infra", "lib", "local/stack"])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of ["functions/todos/index.ts", "lib/a.ts", "package.json"])
    writeFileSync(join(root, name), "1");
});

const result = { stackName: "stack", template: { Resources: {} } };
let starts = 0;

function start(settings: Record<string, string> = {}) {
  starts += 1;
  const outdir = join(root, `out-${starts}`);
  return { cache: createAssemblyCache({ stage: "dev", ...settings, outdir }, root), outdir };
}

function synthesize(outdir: string, code: string) {
  mkdirSync(join(outdir, "asset.1"), { recursive: true });
  mkdirSync(join(outdir, "bundles"));
  for (const name of ["asset.1/index.mjs", "bundles/index.mjs"]) writeFileSync(join(outdir, name), code);
  return { ...result, directory: outdir };
}

async function synthesizeAndStore(code = "code", settings = {}): Promise<void> {
  const { cache, outdir } = start(settings);
  await cache.store(synthesize(outdir, code));
}

const stored = () => readdirSync(join(root, "node_modules/.cache/local-run"));

describe("the assembly of an earlier start", () => {
  it("is copied, without the bundles that it was made from", async () => {
    await synthesizeAndStore();
    const { cache, outdir } = start();
    expect(await cache.restore()).toEqual({ ...result, directory: outdir });
    expect(readdirSync(outdir).sort()).toEqual(["asset.1", "result.json"]);
    expect(readFileSync(join(outdir, "asset.1/index.mjs"), "utf8")).toBe("code");
  });

  it.each<[string, () => void]>([
    ["file changed", () => appendFileSync(join(root, "lib/a.ts"), "2")],
    [
      "file changed and kept its size and time",
      () => {
        writeFileSync(join(root, "lib/a.ts"), "2");
        utimesSync(join(root, "lib/a.ts"), new Date(0), new Date(0));
      },
    ],
    ["file is new", () => writeFileSync(join(root, "functions/todos/routes.ts"), "1")],
    ["file is gone", () => rmSync(join(root, "lib/a.ts"))],
    ["file has another name", () => renameSync(join(root, "lib/a.ts"), join(root, "lib/b.ts"))],
    ["package was installed", () => writeFileSync(join(root, "node_modules/.package-lock.json"), "1")],
  ])("is not used if a %s", async (_, change) => {
    await synthesizeAndStore();
    change();
    const { cache, outdir } = start();
    expect(await cache.restore()).toBeUndefined();
    expect(existsSync(outdir)).toBe(false);
  });

  it("is not used for other settings", async () => {
    await synthesizeAndStore("code", { versionHeader: "x-version" });
    expect(await start().cache.restore()).toBeUndefined();
    expect(await start({ versionHeader: "x-other" }).cache.restore()).toBeUndefined();
    expect(await start({ versionHeader: "x-version" }).cache.restore()).toBeDefined();
  });

  it("is replaced by the next one of its stage", async () => {
    await synthesizeAndStore("prod", { stage: "prod" });
    await synthesizeAndStore("first");
    appendFileSync(join(root, "lib/a.ts"), "2");
    await synthesizeAndStore("second");
    const { cache, outdir } = start();
    await cache.restore();
    expect(readFileSync(join(outdir, "asset.1/index.mjs"), "utf8")).toBe("second");
    expect(stored()).toHaveLength(2);
  });

  it("is not stored if a source changed during the synthesis", async () => {
    const { cache, outdir } = start();
    const synthesized = synthesize(outdir, "code");
    appendFileSync(join(root, "lib/a.ts"), "2");
    await cache.store(synthesized);
    expect(await start().cache.restore()).toBeUndefined();
  });

  it("is made again if its files are incomplete", async () => {
    await synthesizeAndStore();
    const [assembly = ""] = stored().filter((name) => !name.endsWith(".json"));
    rmSync(join(root, "node_modules/.cache/local-run", assembly), { recursive: true });
    expect(await start().cache.restore()).toBeUndefined();
  });

  it("is not stored where nothing can be written", async () => {
    mkdirSync(join(root, "node_modules"));
    writeFileSync(join(root, "node_modules/.cache"), "a file");
    await synthesizeAndStore();
    expect(await start().cache.restore()).toBeUndefined();
  });
});
