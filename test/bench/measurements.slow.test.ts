import { describe, expect, it } from "vitest";
import { gatewayFunctions } from "../../functions/definitions.ts";
import { runProgram } from "../support/programs/program.ts";

describe("npm run bench", () => {
  it("prints a Markdown page with every measurement", async () => {
    const { code, output, errors } = await runProgram("bench/measurements.ts", ["--quick"]);
    expect({ code, errors }).toEqual({ code: 0, errors: expect.stringMatching(/^Starting the service\n/) });
    expect(output).toMatch(/^# Measurements\n/);
    expect(output).toMatch(/^Made on \d{4}-\d\d-\d\d at commit [0-9a-f]{7,}, /m);
    expect(output).toMatch(/is ready after \*\*\d+\.\d s\*\*/);
    expect(output).toMatch(/^`npm run dev` serves a function's changed code \*\*\d+\.\d s\*\* after/m);
    for (const name of ["bare SDK", ...gatewayFunctions])
      expect(output).toMatch(
        new RegExp(
          `^\\| ${name} \\| \\d+ \\| \\d+ \\| \\d+ \\| \`.*\` \\| \\d+\\.\\d \\| \\d+\\.\\d \\| \\d+ \\| \\d+ \\|$`,
          "m",
        ),
      );
    expect(output).toMatch(/^\| a bare handler \| \d+\.\d \| 1 \| \d+\.\d \|$/m);
    expect(output).toMatch(/^\| an unknown path: 404 \| \d+\.\d \| \d+ \| \d+\.\d \|$/m);
    expect(output).not.toMatch(/NaN|undefined/);
  });

  it("rejects an unknown option in one line", async () => {
    const { code, errors } = await runProgram("bench/measurements.ts", ["--fast"]);
    expect(code).toBe(2);
    expect(errors).toMatch(/^Unknown option '--fast'\. See npm run --silent bench -- --help\.\n$/);
  });
});
