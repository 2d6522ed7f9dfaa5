import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openDirectories } from "../../../local/database/data-directory.ts";
import { resetData } from "../../../local/database/reset-data.ts";
import { runProgram } from "../../support/programs/program.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const command = fileURLToPath(new URL("../../../local/reset.ts", import.meta.url));

let parent: string;
let directory: string;
beforeEach(() => {
  parent = temporaryDirectory(onTestFinished);
  directory = join(parent, "data");
});

async function createData(): Promise<void> {
  await (await openDirectories(directory)).close();
  for (const name of ["dynoxide.db", "dynoxide.db-wal", "secrets.json", "run.json"])
    writeFileSync(join(directory, name), "");
  mkdirSync(join(directory, "assembly", "asset"), { recursive: true });
}

function typing(text: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  input.end(text);
  return input;
}

describe("a reset", () => {
  it("deletes the data", async () => {
    await createData();
    expect(await resetData(directory, undefined)).toBe(`Deleted the data in ${directory}.`);
    expect(existsSync(directory)).toBe(false);
  });

  it("empties a linked directory and keeps the link", async () => {
    await createData();
    const link = join(parent, "link");
    symlinkSync(directory, link);
    await resetData(link, undefined);
    expect(readdirSync(link)).toEqual([]);
  });

  it("does nothing without data", async () => {
    expect(await resetData(directory, undefined)).toBe(`There is no data in ${directory}.`);
    expect(await resetData("memory", undefined)).toContain("there is no data to delete");
  });

  it("only deletes a data directory", async () => {
    mkdirSync(directory);
    await expect(resetData(directory, undefined)).rejects.toThrow("is not a data directory");
    writeFileSync(join(directory, "secrets.json"), "");
    await expect(resetData(directory, undefined)).rejects.toThrow("is not a data directory");
    expect(readdirSync(directory)).toEqual(["secrets.json"]);
  });

  it("deletes nothing while a run uses the directory, or if it contains other files", async () => {
    await createData();
    const { close } = await openDirectories(directory);
    const before = readdirSync(directory);
    await expect(resetData(directory, undefined)).rejects.toThrow("in use by another run");
    expect(readdirSync(directory)).toEqual(before);
    await close();
    writeFileSync(join(directory, "thesis.txt"), "");
    const all = readdirSync(directory);
    await expect(resetData(directory, undefined)).rejects.toThrow("also contains thesis.txt");
    expect(readdirSync(directory)).toEqual(all);
  });

  it.each([
    ["y\n", false],
    ["yes\n", false],
    ["n\n", true],
    ["\n", true],
  ])("asks for confirmation; after %j the data is kept: %s", async (answer, isKept) => {
    await createData();
    await resetData(directory, typing(answer));
    expect(existsSync(directory)).toBe(isKept);
  });
});

it("npm run reset requires --yes without a terminal", async () => {
  await createData();
  const errors = `Add --yes to delete the data in ${directory} where there is no terminal.\n`;
  const environment = { DATA_DIR: directory };
  expect(await runProgram(command, [], { environment })).toEqual({ code: 1, output: "", errors });
  const output = `Deleted the data in ${directory}.\n`;
  expect(await runProgram(command, ["--yes", directory])).toEqual({ code: 0, output, errors: "" });
});
