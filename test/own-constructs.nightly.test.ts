import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { runProgram } from "./support/programs/program.ts";
import { copyWholeProject } from "./support/programs/project-copy.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const copy = join(temporaryDirectory(afterAll), "project");
copyWholeProject(copy);
const source = readFileSync("test/fixtures/constructs/constructs.ts", "utf8").replace("../../..", "../..");
const own = join(copy, "functions/users/constructs.ts");
writeFileSync(own, source.replace("../../functions/define-area", "../define-area"));
writeFileSync(join(copy, "functions/users/reader.ts"), readFileSync("test/fixtures/constructs/reader.ts"));
// What its function reads when it starts.
const entry = join(copy, "functions/users/index.ts");
const needed = 'if (!process.env.PLANS) throw new Error("PLANS is not set");';
writeFileSync(entry, `${readFileSync(entry, "utf8")}\n${needed}\n`);

/** @returns what the tests printed, and the status */
function test(...args: readonly string[]) {
  const vitest = ["vitest", "run", "--config", "test/vitest.config.ts", "--root", ".", ...args];
  const options = { cwd: copy, encoding: "utf8", env: { ...outer, NO_COLOR: "1" } } as const;
  const { stdout, stderr, status } = spawnSync("npx", vitest, options);
  return { status, text: `${stdout}${stderr}` };
}
const { VITEST: _, NODE_COMPILE_CACHE: __, CDK_VALIDATION: ___, ...outer } = process.env;

it("a service with functions, rules, queues, buckets and grants by plain CDK starts", async () => {
  const environment = { DATA_DIR: "memory", PORT: "0", HOME: copy };
  const options = { environment, directory: copy, interruptAt: /Ready/ };
  const { output, errors } = await runProgram(resolve(copy, "local/start.ts"), [], options);
  expect(errors + output).toContain("Not in the local run: UsersOwnPlans (AWS::S3::Bucket)");
  expect(output).toContain("Ready at");
});

it("it passes the tests of the stack and of the bundles, and the AWS Solutions checks", () => {
  const ofInfra = ["guarantees", "build/bundle", "nag.slow"].map((name) => `test/infra/${name}.test.ts`);
  const projects = ["--project", "stack", "--project", "slow: programs"];
  const { status, text } = test(...projects, ...ofInfra, "test/functions/areas.test.ts");
  expect(text).toMatch(/Test Files +4 passed/);
  expect(status).toBe(0);
});

it("without reasons for its wildcards, the tests say which line to write", () => {
  writeFileSync(own, readFileSync(own, "utf8").replace(/^ {2}Validations\.of\(lambda\.role[^;]*;$/m, ""));
  const { status, text } = test("--project", "stack", "test/infra/guarantees.test.ts");
  expect(text).toContain("Validations.of(lambda.role ?? lambda).acknowledge(");
  expect(status).toBe(1);
});
