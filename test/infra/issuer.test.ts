import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { definitions } from "../../functions/definitions.ts";
import { createApp } from "../../infra/app.ts";
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

it("a closed login has no route at the gateway, and the visitor does not try it", () => {
  const keysOf = (stage: Stage) =>
    resourcesOf(stageTemplate(stage), "AWS::ApiGatewayV2::Route").map(([, each]) => each.Properties.RouteKey);
  const own = ["POST /auth/login", "PUT /users/me/password", "POST /users/me/deletion"];
  expect(keysOf("prod")).toEqual(expect.arrayContaining(own));
  expect(keysOf("configured")).toEqual(keysOf("prod").filter((key) => !own.includes(key)));
  const planOf = (stage: Stage) => {
    const code: string = functionsOf(stage).get("Visitor")?.Properties.Code.ZipFile;
    return JSON.parse(/^const PLAN = (.*);$/m.exec(code)?.[1] ?? "");
  };
  expect(planOf("prod").login).toMatchObject({ target: "POST /auth/login" });
  expect(planOf("configured").login).toBeUndefined();
});

it("a deployment needs a provider with TLS", async () => {
  const issuer = { url: "http://localhost:9000", audience: "api" };
  const deployed = createApp({ stage: "dev" }, { dev: { issuer }, prod: {} });
  await expect(deployed).rejects.toThrow("-c issuer=… must have a url that begins with https://");
});
