import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startTypeCheck } from "../../../local/stack/type-check.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

it("reports type errors with their location, ten at most, and when they are gone", async () => {
  const directory = temporaryDirectory(onTestFinished);
  const config = join(directory, "tsconfig.json");
  const write = (name: string, code: string) => writeFileSync(join(directory, name), code);
  write("tsconfig.json", '{"include":["*.ts"],"compilerOptions":{"lib":["es5"],"types":[]}}');
  write("a.ts", 'export const a: number = "text";\n');
  let resolveNext: (text: string) => void;
  const after = (change: () => void) =>
    new Promise<string>((resolve) => {
      resolveNext = resolve;
      change();
    });
  const first = after(() => onTestFinished(startTypeCheck(config, (text) => resolveNext(text))));
  expect(await first).toMatch(
    /^Warning: the code has type errors\n {2}\S*a\.ts\(1,14\): error TS2322: Type 'string' is .*'number'\.$/,
  );

  expect(await after(() => write("a.ts", "export const a = 1;\n"))).toBe("No type errors any more");
  const uses = 'import { a } from "./a.js";\nexport const b: string = a;\n';
  expect(await after(() => write("b.ts", uses))).toContain("b.ts(2,14): error TS2322");
  expect(await after(() => rmSync(join(directory, "a.ts")))).toContain("b.ts(1,19): error TS2307");

  const many = Array.from({ length: 12 }, (_, i) => `export const c${i}: number = "text";\n`).join("");
  const lines = (await after(() => write("b.ts", many))).split("\n");
  expect(lines).toHaveLength(12);
  expect(lines.at(-1)).toBe("  and 2 more; npm run typecheck shows all");
});
