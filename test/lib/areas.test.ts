import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { routesByGroup } from "../../functions/routes.ts";
import { secretConstructIds, tableConstructId, tableNames, tables } from "../../lib/areas.ts";
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

describe("lib/areas.ts", () => {
  it.each(tableNames)("has the table and the indexes of %s as the stack creates them", (name) => {
    const {
      KeySchema,
      GlobalSecondaryIndexes = [],
      LocalSecondaryIndexes = [],
    } = findByConstructId("AWS::DynamoDB::Table", tableConstructId(name))?.Properties ?? {};
    const indexes = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map(({ IndexName }) => IndexName);

    expect(KeySchema, `infra/tables.ts does not create the table ${name}`).toHaveLength(2);
    expect(indexes.sort(), `the indexes of ${name} in infra/tables.ts`).toEqual([...tables[name].indexes]);
  });

  it.each(tableNames)("has no table without a function: %s", (name) => {
    expect(variables, `infra/functions.ts grants no function the table ${name}`).toContain(
      tableVariable(name),
    );
  });

  it.each(Object.entries(secretConstructIds))("has no secret without a function: %s", (name, constructId) => {
    const secret = findByConstructId("AWS::SecretsManager::Secret", constructId);
    expect(secret, `infra/secrets.ts does not create the secret ${name}`).toBeDefined();
    expect(variables, `infra/functions.ts grants no function the secret ${name}`).toContain(
      secretVariable(name as keyof typeof secretConstructIds),
    );
  });
});

describe("functions/", () => {
  it("has a folder for each group of functions/routes.ts, fallback and repair", () => {
    const folders = readdirSync("functions", { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

    expect(
      [...Object.keys(routesByGroup), "fallback", "repair"].sort(),
      "the groups in functions/routes.ts",
    ).toEqual(folders.sort());
  });
});
