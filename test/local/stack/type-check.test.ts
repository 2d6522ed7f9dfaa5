import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { createTypeCheck } from "../../../local/stack/type-check.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let directory: string;
let check: ReturnType<typeof createTypeCheck>;
let reports: string[];
let nextReport: () => Promise<string>;
beforeEach(() => {
  directory = temporaryDirectory(onTestFinished);
  writeFileSync(
    join(directory, "tsconfig.json"),
    '{"files":["a.ts"],"compilerOptions":{"lib":["es5"],"skipLibCheck":true,"types":[]}}',
  );
  reports = [];
  let resolveNext: (text: string) => void = () => undefined;
  nextReport = () =>
    new Promise((resolve) => {
      resolveNext = resolve;
    });
  check = createTypeCheck(directory, join(directory, "tsconfig.json"), (text) => {
    reports.push(text);
    resolveNext(text);
  });
});
afterEach(() => {
  check.stop();
});

async function reportOn(code: string, name?: string): Promise<string> {
  const report = nextReport();
  change(code, name);
  return await report;
}

function change(code: string, name = "a.ts"): void {
  writeFileSync(join(directory, name), code);
  check.check();
}

it("reports type errors with their location, and when they are gone", async () => {
  expect(await reportOn('export const a: number = "text";\n')).toBe(
    "Warning: the changed code has type errors\n" +
      "  a.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.",
  );
  expect(await reportOn("export const a: number = 1;\n")).toBe("No type errors any more");
  expect(await reportOn("export const a = ;\n")).toContain("a.ts(1,18): error TS1109: Expression expected.");
});

it("notices files that are created and deleted", async () => {
  const used = 'import { b } from "./b.js";\nexport const a: string = b;\n';
  expect(await reportOn(used)).toContain("error TS2307: Cannot find module './b.js'");
  expect(await reportOn("export const b = 1;\n", "b.ts")).toContain("error TS2322: Type 'number'");
  rmSync(join(directory, "b.ts"));
  const deleted = nextReport();
  check.check();
  expect(await deleted).toContain("error TS2307");
});

it("reports only on the newest code", async () => {
  change('export const old: number = "text";\n');
  expect(await reportOn('export const current: boolean = "text";\n')).toContain("to type 'boolean'");
  expect(await reportOn("export const fixed = true;\n")).toBe("No type errors any more");
  expect(reports).toHaveLength(2);
});
