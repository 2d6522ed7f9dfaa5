import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDirectories } from "../../../local/database/data-directory.ts";
import { resetData } from "../../../local/database/reset-data.ts";
import { runProgram } from "../../support/program.ts";

const command = fileURLToPath(new URL("../../../local/reset.ts", import.meta.url));

let parent: string;
let directory: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "reset-test-"));
  directory = join(parent, "data");
});
afterEach(() => rmSync(parent, { recursive: true }));

/** A directory as a run leaves it. */
async function leaveData(): Promise<void> {
  await (await openDirectories(directory)).close();
  for (const name of [
    "dynoxide.db",
    "dynoxide.db-wal",
    "shared-local-instance.db",
    "secrets.json",
    "run.json",
  ])
    writeFileSync(join(directory, name), "");
  mkdirSync(join(directory, "assembly", "asset"), { recursive: true });
}

/** Somebody at a terminal who types. */
function typing(text: string) {
  const answers = Object.assign(new PassThrough(), { isTTY: true });
  answers.end(text);
  return answers;
}

describe("a reset", () => {
  it("deletes what runs have left", async () => {
    await leaveData();

    expect(await resetData(directory, undefined)).toBe(`The data in ${directory} is deleted.`);
    expect(existsSync(directory)).toBe(false);
  });

  it("empties a directory that was linked, and leaves the link", async () => {
    await leaveData();
    const link = join(parent, "link");
    symlinkSync(directory, link);
    await resetData(link, undefined);

    expect(readdirSync(link)).toEqual([]);
  });

  it("has nothing to do where there is no data", async () => {
    expect(await resetData(directory, undefined)).toBe(`There is no data in ${directory}.`);
    expect(await resetData("memory", undefined)).toContain("nothing is kept");
  });

  it("deletes no directory that no run has used", async () => {
    mkdirSync(directory);
    await expect(resetData(directory, undefined)).rejects.toThrow("no run has used it");
    writeFileSync(join(directory, "secrets.json"), "");

    await expect(resetData(directory, undefined)).rejects.toThrow("no run has used it");
    expect(readdirSync(directory)).toEqual(["secrets.json"]);
  });

  it("deletes nothing where there is anything else", async () => {
    await leaveData();
    writeFileSync(join(directory, "thesis.txt"), "");
    const before = readdirSync(directory);

    await expect(resetData(directory, undefined)).rejects.toThrow("it has thesis.txt in it");
    expect(readdirSync(directory)).toEqual(before);
  });

  it("deletes nothing that a run uses", async () => {
    await leaveData();
    const { close } = await openDirectories(directory);
    const before = readdirSync(directory);

    await expect(resetData(directory, undefined)).rejects.toThrow("in use by another run");
    expect(readdirSync(directory)).toEqual(before);
    await close();
  });

  it.each([
    ["y\n", false],
    ["yes\n", false],
    ["n\n", true],
    ["\n", true],
  ])("asks at a terminal; after %j the data is kept: %s", async (answer, isKept) => {
    await leaveData();
    await resetData(directory, typing(answer));

    expect(existsSync(directory)).toBe(isKept);
  });
});

describe("npm run reset", () => {
  it("wants --yes where nobody can be asked", async () => {
    await leaveData();
    const environment = { DATA_DIR: directory };
    expect(await runProgram(command, [], { environment })).toEqual({
      code: 1,
      output: "",
      errors: `Say --yes to delete the data in ${directory}: nobody can be asked here.\n`,
    });

    expect(await runProgram(command, ["--yes"], { environment })).toEqual({
      code: 0,
      output: `The data in ${directory} is deleted.\n`,
      errors: "",
    });
  });

  it("explains itself, and tells wrong usage apart", async () => {
    expect(await runProgram(command, ["--help"])).toMatchObject({
      code: 0,
      output: expect.stringContaining("DATA_DIR"),
    });
    expect(await runProgram(command, ["--all"])).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/^Unknown option --all\. See npm run reset -- --help\.\n$/),
    });
  });
});
