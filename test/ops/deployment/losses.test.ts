import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DATA_FORMAT, SERVICE_NAME } from "../../../lib/construct-ids.ts";
import { emptyTwins, losses, tablesInUse } from "../../../ops/deployment/losses.ts";
import { refusals, type StackTemplate, stateful } from "../../../ops/deployment/replacements.ts";
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
    const expected = [
      /^its name [\w.]+ \(the setting "domain"\)$/,
      /^the copy of ApiKeys\w+ in eu-central-1$/,
      /^the secret arn:\S+, which it uses instead of its own \(the setting "secrets"\)$/,
    ];
    const found = losses(configured, prod);
    for (const each of expected) expect(found).toContainEqual(expect.stringMatching(each));
    for (const table of tables)
      expect(found).toContain(`the table ${table}, which it uses instead of its own (the setting "tables")`);
    expect(found).toHaveLength(expected.length + tables.length);
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
    const withIndex = structuredClone(prod);
    const { Properties = {} } = withIndex.Resources[id] ?? {};
    Object.assign(Properties, { GlobalSecondaryIndexes: [{ IndexName: "by-day" }] });
    const lost = `the index by-day of ${id}, whose return reads the whole table`;
    expect(losses(withIndex, prod)).toContain(lost);
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
    // Of a stage of somebody's own.
    const bobs = [`${SERVICE_NAME}-dev-bob-${id}-1A2B`];
    expect(emptyTwins(`${SERVICE_NAME}-dev`, template, prod, bobs)).toEqual([]);
  });

  it("of a version that reads another format loses the records", () => {
    const [id = ""] = tableIds(prod);
    const tag = (format: number) => `"data-format","Value":"${format}"`;
    const later = JSON.parse(JSON.stringify(prod).replaceAll(tag(DATA_FORMAT), tag(DATA_FORMAT + 1)));
    expect(losses(later, prod)).toContain(
      `the records of ${id}: they are in format ${DATA_FORMAT + 1}, and this version reads ${DATA_FORMAT}`,
    );
    expect(losses(later, prod)).toHaveLength(tableIds(prod).length);
  });

  it("without protections loses each of them", () => {
    const tables = tableIds(prod);
    const kept = ["AWS::SecretsManager::Secret", "AWS::Logs::LogGroup", "AWS::S3::Bucket"];
    const others = Object.entries(prod.Resources).filter(
      ([id, { Type }]) => kept.includes(Type) && dev.Resources[id],
    );
    const expected = [
      ...tables.flatMap((id) => [`the deletion protection of ${id}`, `the point-in-time recovery of ${id}`]),
      ...[...tables, ...others.map(([id]) => id)].map((id) => `the data of ${id} when the stack is deleted`),
    ];
    expect(losses(prod, dev).sort()).toEqual(expected.sort());
  });
});

type Change = Readonly<Record<string, unknown>>;

/** Deployments of one resource, as areas of one's own may add it, with other properties. */
function versions(Type: string, before: Change, after: Change, policies: object = {}) {
  const version = (Properties: Change) => ({ Resources: { It: { Type, Properties, ...policies } } });
  return [version(before), version(after)] as const;
}

const retained = { DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" };

describe("a replaced resource", () => {
  it.each(
    Object.entries(stateful).flatMap(([type, [noun, ...names]]) => names.map((name) => [type, name, noun])),
  )("is lost: %s by another %s", (type, name, noun) => {
    const changed = versions(type, { [name]: "a" }, { [name]: "b" });
    const isName = type.endsWith("DomainName");
    const reason = `CloudFormation replaces it, because ${name} changes`;
    const advice = "declare another one, with another name, beside it";
    expect(losses(...changed)).toEqual([
      isName ? 'its name a (the setting "domain")' : `the ${noun} It with its data: ${reason}; ${advice}`,
    ]);
    expect(losses(changed[0], changed[0])).toEqual([]);
    if (isName) return;
    expect(losses(...versions(type, { [name]: "a" }, {}, retained))).toEqual([
      expect.stringMatching(`^the ${noun} It, which stays beside an empty one: .* ${name} changes`),
    ]);
  });

  it("is replaced by the properties that the CDK's copy of CloudFormation's reference has", () => {
    const { schema } = JSON.parse(gunzipSync(readFileSync("node_modules/aws-cdk/db.json.gz")).toString());
    const resources: readonly { cloudFormationType: string; properties: Record<string, Change> }[] =
      schema.resource.entities;
    for (const [type, [, ...names]] of Object.entries(stateful)) {
      const { properties = {} } = resources.find((each) => each.cloudFormationType === type) ?? {};
      const replacing = Object.keys(properties).filter(
        (name) => properties[name]?.causesReplacement === "yes",
      );
      expect(replacing.sort(), type).toEqual(names);
    }
  });

  it("is a table whose records get other ids, which leaves its key's names as they are", () => {
    const [id = ""] = tableIds(dev);
    const other = structuredClone(dev);
    const [, sk] = (other.Resources[id]?.Properties?.AttributeDefinitions ?? []) as {
      AttributeType: string;
    }[];
    if (sk) sk.AttributeType = sk.AttributeType === "N" ? "S" : "N";
    expect(losses(dev, other)).toEqual([
      expect.stringMatching(`^the table ${id} with its data: .* because AttributeDefinitions changes`),
    ]);
    expect(refusals(dev, other)).toEqual([]);
  });

  it("is no secret of an area's own that is removed and stays", () => {
    const [before] = versions("AWS::SecretsManager::Secret", {}, {});
    expect(losses(before, { Resources: {} })).toEqual(["the secret It with its data"]);
    expect(losses(before, { Resources: {}, Outputs: { ItInUse: { Value: "arn" } } })).toEqual([]);
    const [kept] = versions("AWS::SecretsManager::Secret", {}, {}, retained);
    expect(losses(kept, { Resources: {} })).toEqual([]);
  });
});

describe("DynamoDB refuses", () => {
  const index = (name: string, attribute = name, ProjectionType = "ALL") => ({
    IndexName: name,
    KeySchema: [{ AttributeName: attribute, KeyType: "HASH" }],
    Projection: { ProjectionType },
  });
  const [a, b, c] = ["by-a", "by-b", "by-c"].map((name) => index(name));
  const atOnce = (count: string, names: string) =>
    `${count} indexes of It at once (${names}): create or remove one per deployment`;
  const edited =
    "another key or projection of the index by-a of It: declare an index with another name, and remove this one a deployment later";

  it.each<[string, readonly unknown[], readonly unknown[], readonly string[]]>([
    ["nothing where nothing changes", [a, b], [b, a], []],
    ["no new index", [a], [a, b], []],
    ["no removed one", [a, b], [b], []],
    ["two new ones", [], [a, b], [atOnce("2", "by-a, by-b")]],
    ["a renamed one", [a], [b], [atOnce("2", "by-a, by-b")]],
    ["three changes", [a], [b, c], [atOnce("3", "by-a, by-b, by-c")]],
    ["another key of one", [a, b], [index("by-a", "c"), b], [edited]],
    ["another projection", [a], [index("by-a", "by-a", "KEYS_ONLY")], [edited]],
  ])("%s", (_, before, after, expected) => {
    const having = (GlobalSecondaryIndexes: readonly unknown[]) => ({ GlobalSecondaryIndexes });
    expect(refusals(...versions("AWS::DynamoDB::Table", having(before), having(after)))).toEqual(expected);
  });
});
