import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, it, onTestFinished } from "vitest";
import { watchDirectories } from "../../../local/stack/watch.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let directory: string;
let stop: () => void;
let nextChange: () => Promise<void>;
beforeEach(() => {
  directory = temporaryDirectory(onTestFinished);
  mkdirSync(join(directory, "todos"));
  for (const name of ["a.ts", "todos/b.ts"]) writeFileSync(join(directory, name), "1\n");
  let resolveNext = () => {};
  nextChange = () =>
    new Promise((resolve) => {
      resolveNext = resolve;
    });
  stop = watchDirectories([directory], async () => resolveNext());
});
afterEach(() => {
  stop();
});

/** Fails by time-out if the change is not noticed. */
async function expectNoticed(change: () => void): Promise<void> {
  const noticed = nextChange();
  change();
  await noticed;
}

const path = (name: string) => join(directory, name);
const edit = (name: string) => () => appendFileSync(path(name), "edited\n");

function saveByRenaming(name: string): void {
  const partial = `${directory}.partial`;
  writeFileSync(partial, "2\n");
  renameSync(partial, path(name));
}

it.each(["a.ts", "todos/b.ts"])("notices edits of %s after a save in place or by renaming", async (name) => {
  const save = () => writeFileSync(path(name), "2\n");
  for (const act of [save, () => saveByRenaming(name), () => saveByRenaming(name)]) {
    await expectNoticed(act);
    await expectNoticed(edit(name));
  }
});

it("notices edits in new folders, at any depth", async () => {
  await expectNoticed(() => mkdirSync(path("users/deep"), { recursive: true }));
  await expectNoticed(() => writeFileSync(path("users/deep/c.ts"), "1\n"));
  await expectNoticed(edit("users/deep/c.ts"));
});

it("notices edits after a folder was deleted, created again or renamed", async () => {
  await expectNoticed(() => {
    rmSync(path("todos"), { recursive: true });
    mkdirSync(path("todos"));
    writeFileSync(path("todos/b.ts"), "2\n");
  });
  await expectNoticed(edit("todos/b.ts"));
  await expectNoticed(() => renameSync(path("todos"), path("tasks")));
  await expectNoticed(edit("tasks/b.ts"));
  await expectNoticed(() => rmSync(path("tasks"), { recursive: true }));
  await expectNoticed(edit("a.ts"));
});

it("notices edits after a file was deleted", async () => {
  await expectNoticed(() => rmSync(path("todos/b.ts")));
  await expectNoticed(() => writeFileSync(path("todos/b.ts"), "2\n"));
  await expectNoticed(edit("todos/b.ts"));
});
