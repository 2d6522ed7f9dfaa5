import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { Documentation } from "../../../functions/system/documentation.ts";
import { writeDocumentation } from "../../../infra/build/documentation.ts";

const root = mkdtempSync(join(tmpdir(), "resource-api-"));
const directory = join(root, "documentation");
mkdirSync(directory);
writeFileSync(join(directory, "stale.gz"), "");
const settings = { versionHeader: "x-version" };
writeDocumentation(directory, settings);
afterAll(() => rmSync(root, { recursive: true }));

const list: Record<string, { type: string; cacheControl: string }> = JSON.parse(
  readFileSync(join(directory, "files.json"), "utf8"),
);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

describe("the documentation's files", () => {
  it("are those on the list, in two codings, and nothing from before", () => {
    const expected = Object.keys(list).flatMap((name) => [`${name}.br`, `${name}.gz`]);

    expect(filesBelow(directory)).toEqual([...expected, "files.json"].sort());
  });

  it("are the same when they are made again: a deployment has nothing to do", () => {
    const again = join(root, "again");
    writeDocumentation(again, settings);

    for (const name of filesBelow(directory))
      expect(readFileSync(join(again, name)).equals(readFileSync(join(directory, name))), name).toBe(true);
  });

  it("are not compressed again while they are the same, and what is no longer wanted goes", () => {
    const kept = join(root, "kept");
    writeDocumentation(kept, settings);
    const assets = join(kept, "assets");
    const before = readdirSync(assets).map((name) => [name, statSync(join(assets, name)).mtimeMs]);
    writeFileSync(join(assets, "page.0123456789ab.js.br"), "");
    writeDocumentation(kept, settings);

    expect(readdirSync(assets).map((name) => [name, statSync(join(assets, name)).mtimeMs])).toEqual(before);
    expect(before).toHaveLength(12);
  });

  it("say what the deployment's settings are", async () => {
    const file = await new Documentation(directory).file("openapi.json", undefined);
    const { parameters } = JSON.parse(Buffer.from(file?.body ?? "").toString()).paths["/users"].get;

    expect(parameters).toContainEqual(expect.objectContaining({ in: "header", name: "x-version" }));
    expect(JSON.stringify(parameters)).not.toContain("api-version");
  });

  it.each(Object.keys(list))("come out the same in every coding: %s", async (name) => {
    const documentation = new Documentation(directory);
    const plain = await documentation.file(name, undefined);

    expect(plain?.headers).not.toHaveProperty("content-encoding");
    for (const [coding, decode] of [
      ["gzip", gunzipSync],
      ["br", brotliDecompressSync],
    ] as const) {
      const file = await documentation.file(name, coding);
      expect(file?.headers).toMatchObject({ "content-encoding": coding, "content-type": list[name]?.type });
      expect(decode(file?.body ?? "").equals(Buffer.from(plain?.body ?? ""))).toBe(true);
    }
  });
});
