import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { writeDocumentation } from "../../../infra/build/documentation.ts";
import type { StageSettings } from "../../../infra/settings/settings.ts";
import { resolveStage } from "../../../infra/settings/stages.ts";
import { SERVICE_NAME } from "../../../lib/construct-ids.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

it.each<[StageSettings, StageSettings]>([
  [{}, { usersList: "records", versionHeader: "api-version" }],
  [{ usersList: "versioned" }, { usersList: "versioned" }],
  [{ versionHeader: "X-Api-Version" }, { versionHeader: "x-api-version" }],
])("a stage accepts %j", (settings, expected) => {
  expect(resolveStage("dev", settings).areaSettings).toMatchObject(expected);
});

it("a stage uses the tables of several areas", () => {
  const users = `${SERVICE_NAME}-dev-users-restored`;
  const accounts = `${SERVICE_NAME}-dev-accounts-restored`;
  const { tables } = resolveStage("dev", { tables: `users:${users},accounts:${accounts}` });
  expect(Object.fromEntries(tables)).toEqual({ users, accounts });
});

it.each<[StageSettings, string]>([
  [{ usersList: "both" }, "records or versioned"],
  [{ versionHeader: "api version" }, "a header name"],
  // Each area has a table of its own.
  [{ tables: `users:${SERVICE_NAME}-dev-a,accounts:${SERVICE_NAME}-dev-a` }, "areas with a table each"],
])("a stage rejects %j, and says what is valid", (settings, message) => {
  expect(() => resolveStage("dev", settings)).toThrow(message);
});

it("the document has the version's header of the deployment", async () => {
  const directory = temporaryDirectory(onTestFinished);
  await writeDocumentation(directory, resolveStage("dev", { versionHeader: "x-version" }));
  const document = gunzipSync(readFileSync(join(directory, "openapi.json.gz"))).toString();
  expect(document).toContain('"x-version"');
  expect(document).not.toContain("api-version");
});
