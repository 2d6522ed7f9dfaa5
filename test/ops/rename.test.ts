import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { runProgram } from "../support/programs/program.ts";
import { copyWholeProject } from "../support/programs/project-copy.ts";

const parent = mkdtempSync(join(tmpdir(), "rename-test-"));
afterAll(() => rmSync(parent, { recursive: true }));
const directory = join(parent, "project");
copyWholeProject(directory);

it("npm run rename leaves nothing of the old name but what was released under it", async () => {
  const rename = (...args: string[]) => runProgram("ops/rename.ts", args, { directory });
  expect(await rename("--name", "todos")).toMatchObject({
    code: 1,
    errors: expect.stringContaining('has the word "todos": choose another name. Nothing was changed.'),
  });
  expect(await rename("--name", "Rooms")).toMatchObject({ code: 2 });
  expect(await rename("--name", "rooms-api", "--title", "Rooms")).toMatchObject({ code: 0 });

  // The checks that follow generate the document.
  const old = execFileSync("git", ["grep", "-lIE", `${packageFile.name}|${packageFile.title}`], {
    cwd: directory,
    encoding: "utf8",
  });
  expect(old.trim().split("\n")).toEqual(["docs/openapi.json"]);
});
