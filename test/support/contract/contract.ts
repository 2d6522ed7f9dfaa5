import { readdirSync, readFileSync } from "node:fs";
import type { OpenApiDocument } from "../../../infra/openapi/model.ts";

/** What a document promises: without texts for people, examples and servers. */
export type Contract = Pick<OpenApiDocument, "paths" | "components">;

const directory = "test/fixtures/contract";
const texts = ["description", "summary", "example", "examples", "tags"];

export function contractOf({ paths, components }: OpenApiDocument): Contract {
  return withoutTexts({ paths, components });
}

/** One line for each path and component, so that a difference can be read. */
export function contractText(contract: Contract): string {
  const lines = (record: object) =>
    Object.entries(record).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const components = Object.entries(contract.components).map(
    ([kind, parts]) => `${JSON.stringify(kind)}: {\n${lines(parts).join(",\n")}\n}`,
  );
  return `{"paths": {\n${lines(contract.paths).join(",\n")}\n},\n"components": {\n${components.join(",\n")}\n}}\n`;
}

export function contractFile(version: string): string {
  return `${directory}/${version}.json`;
}

/** The contract that a version has to keep: of the last release of its major version; undefined without one. */
export function contractToKeep(version: string, files = readdirSync(directory)): string | undefined {
  const ofMajor = files.filter((file) => Number.parseInt(file, 10) === Number.parseInt(version, 10));
  return ofMajor.length > 0 ? lastContract(ofMajor) : undefined;
}

/** The breaking changes whose operation the newest section of a changelog with entries does not name. */
export function unannounced(changes: readonly string[], changelog: string): string[] {
  const newest = changelog.split(/^## /m).find((section) => /^[-*] /m.test(section)) ?? "";
  const placeOf = (change: string) => /^[A-Z]+ \/[^\s:]*|^[^\s:]+/.exec(change)?.[0];
  return changes.filter((change) => !newest.includes(`\`${placeOf(change)}\``));
}

/** The contract of the last release, of any major version. */
export function lastContract(files = readdirSync(directory)): string {
  return [...files].sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1) ?? "";
}

export function readContract(file: string): Contract {
  return JSON.parse(readFileSync(`${directory}/${file}`, "utf8")) as Contract;
}

/** Leaves out the texts of each object, but no field of a schema that has such a name. */
function withoutTexts<T>(value: T, isMap = false): T {
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => isMap || !texts.includes(key));
  return Object.fromEntries(
    entries.map(([key, part]) => [key, withoutTexts(part, !isMap && key === "properties")]),
  ) as T;
}
