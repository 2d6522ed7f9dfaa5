import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { document } from "../../support/infra/openapi.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

it("the OpenAPI document passes every rule that Redocly recommends", () => {
  const directory = temporaryDirectory(onTestFinished);
  const file = join(directory, "openapi.json");
  writeFileSync(file, JSON.stringify(document));
  const redocly = "test/tools/node_modules/.bin/redocly";
  const args = ["lint", "--config=infra/openapi/redocly.yaml", file];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout, stderr, status } = spawnSync(redocly, args, { encoding: "utf8", env });

  expect(status, stdout + stderr).toBe(0);
  expect(stderr).toContain("Your API description is valid");
});
