import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { runProgram } from "../support/programs/program.ts";
import { copyWholeProject } from "../support/programs/project-copy.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const directory = join(temporaryDirectory(afterAll), "project");
copyWholeProject(directory);

it("npm run rename leaves nothing of the old name", async () => {
  const rename = (...args: string[]) => runProgram("ops/rename.ts", args, { directory });
  expect(await rename("--name", "accounts")).toMatchObject({
    code: 1,
    errors: expect.stringContaining('has the word "accounts": choose another name. Nothing was changed.'),
  });
  for (const args of [["--name", "Rooms"], []]) expect(await rename(...args)).toMatchObject({ code: 2 });
  expect(await rename("--name", "a-new-name", "--title", "New")).toMatchObject({ code: 0 });

  const grep = (name: string) =>
    spawnSync("git", ["grep", "-lI", name], { cwd: directory, encoding: "utf8" }).stdout;
  expect(grep(packageFile.name)).toBe("");
  expect(grep("a-new-name")).toContain("package.json");
});
