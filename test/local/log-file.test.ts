import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { LogLine } from "../../local/log.ts";
import { createLogFile, logFiles } from "../../local/log-file.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const line = (n: number) => ({ source: "Todos", text: JSON.stringify({ n, text: "x".repeat(90) }) });

it("keeps the newest lines, also of the run before, in two files of at most the size", () => {
  const directory = temporaryDirectory(onTestFinished);
  const [older, newer] = [join(directory, logFiles[0]), join(directory, logFiles[1])];
  const shown: LogLine[] = [];
  for (const first of [0, 50]) {
    const file = createLogFile(directory, (each) => shown.push(each), 1_000);
    for (let n = first; n < first + 50; n += 1) file.log(line(n));
    file.log({ source: "engine", text: "no line of a function" });
    file.close();
    file.log(line(1_000));
  }
  const kept = [older, newer].flatMap((each) => readFileSync(each, "utf8").trim().split("\n"));
  const numbers = kept.map((text) => JSON.parse(text).n);
  expect(numbers).toEqual(Array.from(numbers, (_, i) => 100 - numbers.length + i));
  expect(numbers.length).toBeGreaterThan(9);
  for (const each of [older, newer]) {
    expect(statSync(each).size).toBeLessThan(1_200);
    expect(statSync(each).mode & 0o777).toBe(0o600);
  }
  expect(shown).toHaveLength(104);
});

it("says once that it cannot write, and passes lines on", () => {
  const shown: string[] = [];
  const directory = temporaryDirectory(onTestFinished);
  const file = createLogFile(directory, ({ text }) => shown.push(text), 0);
  onTestFinished(file.close);
  // A directory is in the place of the older file.
  mkdirSync(join(directory, logFiles[0]));
  for (const n of [1, 2]) file.log(line(n));
  expect(shown).toEqual([
    line(1).text,
    expect.stringMatching(/^npm run logs will show no further lines: /),
    line(2).text,
  ]);
});
