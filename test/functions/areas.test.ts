import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as areas from "../../functions/areas.ts";
import type { AreaModule } from "../../functions/define-area.ts";
import { routesByArea, tableNames, tables, tablesWithIds } from "../../functions/definitions.ts";
import { secretConstructIds, tableConstructId } from "../../lib/construct-ids.ts";
import { secretVariable, tableVariable } from "../../lib/settings.ts";
import { type Resource, resourcesOf, stageTemplate } from "../support/infra/templates.ts";

const template = stageTemplate("dev");
const environments: Readonly<Record<string, unknown>>[] = resourcesOf(template, "AWS::Lambda::Function").map(
  ([, { Properties }]) => Properties.Environment.Variables,
);
const variables = new Set(environments.flatMap((environment) => Object.keys(environment)));

function findByConstructId(type: string, constructId: string): Resource | undefined {
  return resourcesOf(template, type).find(([logicalId]) => logicalId.slice(0, -8) === constructId)?.[1];
}

describe("the declared tables and secrets", () => {
  it.each(tableNames)("has the table and the indexes of %s as the stack creates them", (name) => {
    const {
      KeySchema,
      GlobalSecondaryIndexes = [],
      LocalSecondaryIndexes = [],
    } = findByConstructId("AWS::DynamoDB::Table", tableConstructId(name))?.Properties ?? {};
    const indexes = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map(({ IndexName }) => IndexName);

    expect(KeySchema, `the stack does not create the table ${name}`).toHaveLength(2);
    expect(indexes.sort(), `the indexes of ${name}`).toEqual(Object.keys(tables[name]?.indexes ?? {}));
  });

  it.each(tablesWithIds)("say what the records of %s consist of, for the repair", (name) => {
    expect((areas as Readonly<Record<string, AreaModule>>)[name]?.stored).toBeDefined();
  });

  it.each(tableNames)("has no table without a function: %s", (name) => {
    expect(variables, `no area uses the table ${name}`).toContain(tableVariable(name));
  });

  it.each(Object.entries(secretConstructIds))("has no secret without a function: %s", (name, constructId) => {
    const secret = findByConstructId("AWS::SecretsManager::Secret", constructId);
    expect(secret, `infra/secrets.ts does not create the secret ${name}`).toBeDefined();
    expect(variables, `no area uses the secret ${name}`).toContain(
      secretVariable(name as keyof typeof secretConstructIds),
    );
  });
});

describe("functions/", () => {
  it("has a folder for each area, fallback and repair", () => {
    const folders = readdirSync("functions", { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

    expect(
      [...Object.keys(routesByArea), "fallback", "repair"].sort(),
      "the areas in functions/areas.ts",
    ).toEqual(folders.sort());
  });
});
