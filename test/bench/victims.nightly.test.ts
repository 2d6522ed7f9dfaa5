import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const few = ["--records", "1000"];

it.each([
  ["GET /todos at its limit takes no table from others, whatever is stored", ["--only", "GET /todos"], 0],
  ["POST /orders at its limit takes none", ["--only", "POST /orders"], 0],
  ["GET /todos does without the admission", ["--only", "GET /todos", "--without-admission", ...few], 1],
] as const)("%s", (_, options, expected) => {
  const args = ["local/launch.cjs", "bench/victims.ts", ...options];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(status, stdout).toBe(expected);
});
