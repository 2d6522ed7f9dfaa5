import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

it.each(["GET /todos", "POST /orders"])(
  "%s at its limit takes no table from others, whatever is stored",
  (attack) => {
    const args = ["local/launch.cjs", "bench/victims.ts", "--only", attack];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(status, stdout).toBe(0);
  },
  600_000,
);
