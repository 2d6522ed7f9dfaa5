import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import document from "../docs/openapi.json" with { type: "json" };
import { routesByArea } from "../functions/definitions.ts";
import { headingsOf, tableRowsOf } from "./support/markdown.ts";

const page = "docs/specification.md";

/** The rows of the page's tables of operations whose areas this service still has. */
const rows = tableRowsOf(page).flatMap(([operation = "", area = "", ...cells]) => {
  const [, method = "", path = ""] = /^`([A-Z]+) (\/\S*)`$/.exec(operation) ?? [];
  if (method === "" || !(area in routesByArea)) return [];
  // The last cells tell success and failure; statuses in a request's cell would be bounds.
  const [success = "", failure = ""] = cells.slice(-2);
  const statuses = `${success} ${failure}`.match(/\b[1-5]\d\d\b/g) ?? [];
  return [{ key: `${method} ${path}`, method, path, area, statuses }];
});
const areas = [...new Set(rows.map(({ area }) => area))];
const operations: Readonly<Record<string, Readonly<Record<string, { responses: object }>>>> = document.paths;

describe(page, () => {
  it.each(areas)("has exactly the operations that %s declares", (area) => {
    const declared = (routesByArea[area] ?? []).map(({ key }) => key);
    const written = rows.filter((row) => row.area === area).map(({ key }) => key);
    expect([...new Set(written)].sort()).toEqual([...declared].sort());
  });

  it.each(rows)("names statuses of $key that the service sends", ({ method, path, statuses }) => {
    const responses = Object.keys(operations[path]?.[method.toLowerCase()]?.responses ?? {});
    expect(responses).toEqual(expect.arrayContaining(statuses));
  });

  it("has every section that the code refers to", () => {
    const sections = [2, 3].flatMap((level) => headingsOf(page, level));
    const code = globSync("{functions,lib,infra,test}/**/*.ts").map((file) => readFileSync(file, "utf8"));
    const named = code.flatMap((text) =>
      [...text.matchAll(/\(specification,[\s*]+("[^"]+"(?: and "[^"]+")*)/g)].flatMap(([, names = ""]) =>
        [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name.replaceAll(/\s+(\* )?/g, " ")),
      ),
    );

    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !sections.includes(name))).toEqual([]);
  });
});
