import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { routesByArea } from "../../functions/definitions.ts";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { engines, recordTable } from "../support/database/database.ts";
import { codeBlocksOf } from "../support/markdown.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const directory = temporaryDirectory(afterAll);
const outdir = join(directory, "cdk.out");

describe("a synthesis on the command line", () => {
  // The CLI may be too old for what aws-cdk-lib writes. It counts the flags that cdk.json does not have.
  it("writes the stack's template, with every feature flag set", () => {
    const args = ["node_modules/aws-cdk/bin/cdk", "synth", "--quiet", "--no-notices", "--output", outdir];
    const env = { ...process.env, CDK_DISABLE_CLI_TELEMETRY: "true", CDK_DISABLE_VERSION_CHECK: "true" };
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env });
    expect(status, stderr).toBe(0);
    expect(stderr).not.toContain("feature flags");
    const { Resources } = JSON.parse(readFileSync(join(outdir, `${SERVICE_NAME}-dev.template.json`), "utf8"));
    expect(Object.keys(Resources)).toContainEqual(expect.stringMatching(/^AccountsTable/));
  });

  // The page calls a function of todos, which may have been removed.
  const tried = "todos" in routesByArea ? engines : [];
  it.each(tried)("makes bundles that run as docs/deployment.md shows ($name)", async ({ endpoint }) => {
    const script = example
      .replace("npx cdk synth -q\n", "")
      .replace("http://127.0.0.1:8000", endpoint)
      .replace(`${SERVICE_NAME}-dev-${todosTable}`, await recordTable(endpoint));
    const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    const options = { cwd: directory, encoding: "utf8", env } as const;
    const { stdout, stderr } = spawnSync("bash", ["-c", script], options);
    for (const part of ['"route":"GET /todos","status":200', "statusCode: 200", "body: '[]'"])
      expect(stdout, stderr).toContain(part);
  });
});

const [example = ""] = codeBlocksOf("docs/deployment.md", "").filter((block) => block.includes("bundles/"));
const [, todosTable = ""] = /TODOS_TABLE=\S+-dev-(\w+)/.exec(example) ?? [];
