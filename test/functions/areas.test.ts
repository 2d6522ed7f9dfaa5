import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as areas from "../../functions/areas.ts";
import type { AreaModule } from "../../functions/define-area.ts";
import {
  definitions,
  functionOf,
  routesByArea,
  routesOf,
  tableNames,
  tablesWithIds,
} from "../../functions/definitions.ts";
import { secretConstructIds } from "../../lib/construct-ids.ts";
import { secretVariable, tableVariable } from "../../lib/settings.ts";
import { resourcesOf, stageTemplate } from "../support/infra/templates.ts";

const template = stageTemplate("dev");
const environments: Readonly<Record<string, unknown>>[] = resourcesOf(template, "AWS::Lambda::Function").map(
  ([, { Properties }]) => Properties.Environment?.Variables ?? {},
);
const variables = new Set(environments.flatMap((environment) => Object.keys(environment)));

describe("the declared tables and secrets", () => {
  it.each(tablesWithIds)("say what the records of %s consist of, for the repair", (name) => {
    expect((areas as Readonly<Record<string, AreaModule>>)[name]?.stored).toBeDefined();
  });

  it.each(tableNames)("has no table without a function: %s", (name) => {
    expect(variables, `no area uses the table ${name}`).toContain(tableVariable(name));
  });

  it.each(Object.keys(secretConstructIds))("has no secret without a function: %s", (name) => {
    expect(variables, `no area uses the secret ${name}`).toContain(
      secretVariable(name as keyof typeof secretConstructIds),
    );
  });
});

it("fallback handles the routes of areas without a function, and may use nothing for them", () => {
  expect(routesOf("fallback").filter(({ dependencies }) => !dependencies)).toEqual([]);
  const handled = Object.entries(definitions).filter(([area]) => functionOf(area) === "fallback");
  expect(handled.flatMap(([, { uses, secrets }]) => Object.keys(uses ?? secrets ?? {}))).toEqual([]);
});

it("functions/ has a folder for each area, fallback and repair", () => {
  const folders = readdirSync("functions", { withFileTypes: true })
    .filter((file) => file.isDirectory())
    .map(({ name }) => name);

  expect(
    [...Object.keys(routesByArea), "fallback", "repair"].sort(),
    "the areas in functions/areas.ts",
  ).toEqual(folders.sort());
});
