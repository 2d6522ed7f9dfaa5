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
  const { stdout, stderr, status } = spawnSync(
    "test/tools/node_modules/.bin/redocly",
    ["lint", "--config=infra/openapi/redocly.yaml", file],
    {
      encoding: "utf8",
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  );

  expect(status, stdout + stderr).toBe(0);
  expect(stderr).toContain("Your API description is valid");
});
