import { expect, it } from "vitest";
import { gatewayFunctions } from "../../functions/definitions.ts";
import { runProgram } from "../support/programs/program.ts";

it("npm run bench prints a Markdown page with every measurement", async () => {
  const { code, output, errors } = await runProgram("bench/measurements.ts", ["--quick"]);
  expect({ code, errors }).toEqual({ code: 0, errors: expect.stringMatching(/^Starting the service\n/) });
  expect(output).toMatch(/^# Measurements\n/);
  expect(output).toMatch(/ on \d{4}-\d\d-\d\d at commit [0-9a-f]{7,}: /);
  expect(output).toMatch(/is ready after \*\*\d+\.\d s\*\*/);
  const rows = output
    .split("\n")
    .filter((line) => /^\| [\w-]+( \| \d+){3} \| `.*`( \| \d+\.\d){2}( \| \d+){2} \|$/.test(line));
  const measured = rows.map((row) => row.split(" ")[1]);
  expect(measured.sort()).toEqual([...gatewayFunctions].sort());
  expect(output).not.toMatch(/NaN|undefined/);
});
