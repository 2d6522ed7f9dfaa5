import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { definitions } from "../../functions/definitions.ts";
import { pascalCase } from "../../lib/construct-ids.ts";
import { assemblyDirectory } from "../support/infra/assembly.ts";
import { type Resource, resourcesOf, stageTemplate } from "../support/infra/templates.ts";

type Stage = "prod" | "configured";

function functionsOf(stage: Stage): Map<string, Resource> {
  const functions = resourcesOf(stageTemplate(stage), "AWS::Lambda::Function");
  return new Map(functions.map(([id, resource]) => [id.replace(/Function.*/, ""), resource]));
}

/** The functions whose bundles verify tokens of a provider. */
function verifying(stage: Stage): string[] {
  return [...functionsOf(stage)].flatMap(([id, { Properties }]) => {
    const key = /^\w+/.exec(Properties.Code.S3Key ?? "")?.[0];
    const file = join(assemblyDirectory(stage), `asset.${key}`, "index.mjs");
    return existsSync(file) && readFileSync(file, "utf8").includes("openid-configuration") ? [id] : [];
  });
}

it("a provider is in the bundles that take tokens, and only where it is set", () => {
  const names = ["accounts", "login", "products", "users"].filter((name) => name in definitions);
  expect(verifying("prod")).toEqual([]);
  expect(verifying("configured")).toEqual(expect.arrayContaining(names.map(pascalCase)));
  const functions = [...functionsOf("configured")];
  const withVariable = functions.filter(([, { Properties }]) => Properties.Environment?.Variables.ISSUER);
  expect(withVariable.map(([id]) => id)).toEqual(verifying("configured"));
});
