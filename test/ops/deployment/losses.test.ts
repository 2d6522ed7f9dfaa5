import { describe, expect, it } from "vitest";
import { SERVICE_NAME } from "../../../lib/construct-ids.ts";
import { emptyTwins, losses, type StackTemplate, tablesInUse } from "../../../ops/deployment/losses.ts";
import { stageTemplate } from "../../support/infra/templates.ts";

const templateOf = (stage: "dev" | "prod" | "configured") => stageTemplate(stage).toJSON() as StackTemplate;
const [dev, prod, configured] = [templateOf("dev"), templateOf("prod"), templateOf("configured")];

function tableIds({ Resources }: StackTemplate): string[] {
  return Object.keys(Resources).filter((id) => Resources[id]?.Type === "AWS::DynamoDB::Table");
}

function withoutTable(template: StackTemplate) {
  const [id = ""] = tableIds(template);
  const { [id]: _, ...Resources } = template.Resources;
  return { id, template: { ...template, Resources } };
}

describe("a deployment", () => {
  it.each([
    ["the same", configured, configured],
    ["another name and other tables for the first time", prod, configured],
    ["the protections of prod for the first time", dev, prod],
    ["a new table", withoutTable(prod).template, prod],
  ])("of %s loses nothing", (_, before, after) => {
    expect(losses(before, after)).toEqual([]);
  });

  it("of a stage that forgot its settings loses its name and the tables that it uses", () => {
    const tables = tablesInUse(configured);
    expect(tables.length).toBeGreaterThan(0);
    expect(losses(configured, prod).sort()).toEqual(
      [
        expect.stringMatching(/^its name [\w.]+ \(the setting "domain"\)$/),
        ...tables.map(
          (table) => `the table ${table}, which it uses instead of its own (the setting "tables")`,
        ),
        expect.stringMatching(
          /^the secret arn:\S+, which it uses instead of its own \(the setting "secrets"\)$/,
        ),
      ].sort(),
    );
  });

  it("of an earlier version leaves the tables behind that are newer", () => {
    const { id, template } = withoutTable(prod);
    expect(losses(prod, template)).toEqual([
      `the table ${id}: it stays with its data, but a later deployment creates an empty one beside it`,
    ]);
    expect(losses(dev, withoutTable(dev).template)).toEqual([`the table ${id} with its data`]);
  });

  it("of an earlier version loses the indexes that are newer", () => {
    const [id = ""] = tableIds(prod);
    const withIndex = structuredClone(prod) as { Resources: Record<string, { Properties: object }> };
    Object.assign(withIndex.Resources[id]?.Properties ?? {}, {
      GlobalSecondaryIndexes: [{ IndexName: "by-day" }],
    });
    expect(losses(withIndex as unknown as StackTemplate, prod)).toContain(
      `the index by-day of ${id}, whose return reads the whole table`,
    );
  });

  it("of a version that was rolled back replaces the tables that it left by empty ones, unless it uses them", () => {
    const { id, template } = withoutTable(prod);
    const left = [`${SERVICE_NAME}-prod-${id}-1A2B`, `${SERVICE_NAME}-prod-OtherTable12345678-1A2B`];
    const twins = (...versions: [StackTemplate, StackTemplate]) =>
      emptyTwins(`${SERVICE_NAME}-prod`, ...versions, left);
    expect(twins(template, prod)).toEqual([
      `the table ${left[0]} of an earlier version, for an empty one (the setting "tables")`,
    ]);
    const Outputs = { TableInUse: { Value: left[0] } };
    expect(twins(template, { ...prod, Outputs })).toEqual([]);
    expect(twins(prod, prod)).toEqual([]);
  });

  it("of dev ignores the tables of a stage of somebody's own", () => {
    const { id, template } = withoutTable(dev);
    const twins = (name: string) => emptyTwins(`${SERVICE_NAME}-dev`, template, dev, [name]);
    expect(twins(`${SERVICE_NAME}-dev-bob-${id}-1A2B`)).toEqual([]);
    expect(twins(`${SERVICE_NAME}-dev-${id}-1A2B`)).toHaveLength(1);
  });

  it("of a version that reads another format loses the records", () => {
    const [id = ""] = tableIds(prod);
    const later = JSON.parse(
      JSON.stringify(prod).replaceAll('"data-format","Value":"1"', '"data-format","Value":"2"'),
    );
    expect(losses(later, prod)).toContain(
      `the records of ${id}: they are in format 2, and this version reads 1`,
    );
    expect(losses(later, prod)).toHaveLength(tableIds(prod).length);
  });

  it("without protections loses each of them", () => {
    expect(losses(prod, dev)).toEqual(
      tableIds(prod).flatMap((id) => [
        `the deletion protection of ${id}`,
        `the point-in-time recovery of ${id}`,
        `the data of ${id} when the stack is deleted`,
      ]),
    );
  });
});
