import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { tableRowsOf } from "../support/markdown.ts";
import { runProgram } from "../support/programs/program.ts";

const page = "docs/figures/alarms.md";

it("a dead function is told within 15 minutes at any traffic, and bad rollouts end, as ADR 32 says", async () => {
  const { output } = await runProgram("bench/alarms.ts");
  expect(output).toBe(readFileSync(page, "utf8"));

  const rows = tableRowsOf(page);
  const cells = (name: string) => rows.find(([first]) => first === name)?.slice(1) ?? [];
  expect(cells("dead function")).toHaveLength(6);
  for (const cell of [...cells("dead function"), ...cells("total silence")])
    expect(Number(cell.split("/")[1])).toBeLessThanOrEqual(15);
  for (const cell of cells("rollouts that end, of 1,000")) expect(Number(cell)).toBeGreaterThanOrEqual(990);
});
