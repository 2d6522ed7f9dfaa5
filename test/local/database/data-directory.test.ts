import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { DATA_FORMAT } from "../../../lib/construct-ids.ts";
import { openDirectories } from "../../../local/database/data-directory.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let parent: string;
beforeEach(() => {
  parent = temporaryDirectory(onTestFinished);
});

const permissions = (path: string) => (statSync(path).mode & 0o777).toString(8);

function createOpenDirectory(...files: readonly string[]): string {
  const directory = join(parent, "data");
  mkdirSync(join(directory, "assembly"), { recursive: true });
  for (const name of files) writeFileSync(join(directory, name), "1", { mode: 0o666 });
  for (const name of ["", "assembly", ...files]) chmodSync(join(directory, name), 0o777);
  return directory;
}

describe("a data directory", () => {
  it("is for its owner only", async () => {
    const directory = join(parent, "new", "data");
    const { close } = await openDirectories(directory);
    expect(permissions(directory)).toBe("700");
    for (const name of ["run.lock", "run.pid"]) expect(permissions(join(directory, name))).toBe("600");
    await close();
  });

  it("that exists is restricted to its owner at the start", async () => {
    const files = ["dynoxide.db", "dynoxide.db-wal", "format", "secrets.json", "run.begun", "run.pid"];
    const directory = createOpenDirectory(...files);
    writeFileSync(join(directory, "format"), `${DATA_FORMAT}\n`);
    const { close } = await openDirectories(directory);
    expect(permissions(directory)).toBe("700");
    expect(permissions(join(directory, "assembly"))).toBe("700");
    for (const name of files) expect([name, permissions(join(directory, name))]).toEqual([name, "600"]);
    await close();
  });

  it("with other files keeps its permissions, and so do they", async () => {
    const directory = createOpenDirectory("secrets.json", "notes.txt");
    const { close } = await openDirectories(directory);
    expect(permissions(directory)).toBe("777");
    expect(permissions(join(directory, "notes.txt"))).toBe("777");
    expect(permissions(join(directory, "secrets.json"))).toBe("600");
    await close();
  });

  it.each([
    ["of an earlier version", []],
    ["of a later version", ["format"]],
  ])("%s is not used, and nothing is written", async (_, files) => {
    const directory = createOpenDirectory("dynoxide.db", ...files);
    if (files.length > 0) writeFileSync(join(directory, "format"), `${DATA_FORMAT + 1}\n`);
    await expect(openDirectories(directory)).rejects.toThrow(
      `The records in ${directory} are in format ${files.length > 0 ? DATA_FORMAT + 1 : 0}, and this version reads ${DATA_FORMAT}. Use`,
    );
    expect(readdirSync(directory).sort()).toEqual(["assembly", "dynoxide.db", ...files]);
  });

  it("is not used if it is a file, or if a file in it can't be written", async () => {
    const file = join(parent, "file");
    writeFileSync(file, "");
    for (const directory of [file, join(file, "data")])
      await expect(openDirectories(directory)).rejects.toThrow(
        `DATA_DIR ${directory} can't be used: ENOTDIR: not a directory`,
      );

    const directory = createOpenDirectory("run.lock");
    // Root may write everything, but not where there is nothing.
    const database = join(directory, "dynoxide.db");
    symlinkSync(join(parent, "none"), database);
    await expect(openDirectories(directory)).rejects.toThrow(
      `, access '${database}'. Correct that, or choose`,
    );
    expect(permissions(directory)).toBe("777");
  });
});
