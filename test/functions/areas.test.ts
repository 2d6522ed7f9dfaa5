import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
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
const variables = resourcesOf(template, "AWS::Lambda::Function").flatMap(([, { Properties }]) =>
  Object.keys(Properties.Environment?.Variables ?? {}),
);

it.each(tablesWithIds)("the area of %s says what its records consist of, for the repair", (name) => {
  expect((areas as Readonly<Record<string, AreaModule>>)[name]?.stored).toBeDefined();
});

it("the declared tables and secrets are all used by functions of areas", () => {
  const secrets = Object.keys(secretConstructIds) as (keyof typeof secretConstructIds)[];
  const declared = [...tableNames.map(tableVariable), ...secrets.map(secretVariable)];
  expect(declared.filter((variable) => !variables.includes(variable))).toEqual([]);
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

  const expected = [...Object.keys(routesByArea), "fallback", "repair"];
  expect(expected.sort(), "the areas in functions/areas.ts").toEqual(folders.sort());
});
