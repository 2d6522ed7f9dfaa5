import { describe, expect, it } from "vitest";
import { routesByArea } from "../../functions/definitions.ts";
import { runProgram } from "../support/programs/program.ts";

describe("npm run bench", () => {
  it("prints a Markdown page with every measurement", async () => {
    const { code, output, errors } = await runProgram("bench/measurements.ts", ["--quick"]);
    expect({ code, errors }).toEqual({ code: 0, errors: expect.stringMatching(/^Starting the service\n/) });
    expect(output).toMatch(/^# Measurements\n/);
    expect(output).toMatch(/ on \d{4}-\d\d-\d\d at commit [0-9a-f]{7,}: /);
    expect(output).toMatch(/is ready after \*\*\d+\.\d s\*\*/);
    for (const name of ["fallback", ...Object.keys(routesByArea)])
      expect(output).toMatch(
        new RegExp(
          `^\\| ${name} \\| \\d+ \\| \\d+ \\| \\d+ \\| \`.*\` \\| \\d+\\.\\d \\| \\d+\\.\\d \\| \\d+ \\| \\d+ \\|$`,
          "m",
        ),
      );
    expect(output).not.toMatch(/NaN|undefined/);
  });
});
