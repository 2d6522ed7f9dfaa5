import { inUseOutput } from "../../lib/construct-ids.ts";

export interface StackTemplate {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value?: unknown }>>;
}

interface TemplateResource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** What a stack loses by a deployment although nobody may want that: one line each. */
export function losses(deployed: StackTemplate, next: StackTemplate): string[] {
  const resources = Object.entries(deployed.Resources).flatMap(([id, before]) =>
    lossesOf(id, before, next.Resources[id]),
  );
  const kept = valuesInUse(next);
  const inUse = Object.entries(valuesInUse(deployed)).flatMap(([output, value]) => {
    const kind = output.endsWith(TABLE) ? "table" : "secret";
    const isKept = kept[output] === value;
    return isKept ? [] : [`the ${kind} ${value}, which it uses instead of its own (the setting "${kind}s")`];
  });
  return [...resources, ...inUse];
}

const TABLE = inUseOutput("Table");

/** The names of the tables that a stack uses instead of its own. */
export function tablesInUse(template: StackTemplate): string[] {
  return Object.entries(valuesInUse(template)).flatMap(([output, name]) =>
    output.endsWith(TABLE) ? [name] : [],
  );
}

function valuesInUse({ Outputs = {} }: StackTemplate): Readonly<Record<string, string>> {
  const outputs = Object.entries(Outputs).filter(([name]) => name.endsWith(inUseOutput("")));
  return Object.fromEntries(outputs.map(([name, { Value }]) => [name, String(Value)]));
}

/**
 * The tables that a rollback has left, and beside which a deployment creates empty ones.
 *
 * @param existing the names of all tables of the account; those of `dev-alice` begin like those of `dev`
 */
export function emptyTwins(
  stackName: string,
  deployed: StackTemplate,
  next: StackTemplate,
  existing: readonly string[],
): string[] {
  const used = tablesInUse(next);
  return Object.entries(next.Resources)
    .filter(([id, { Type }]) => Type === "AWS::DynamoDB::Table" && !deployed.Resources[id])
    .flatMap(([id]) =>
      existing.filter((name) => name.startsWith(`${stackName}-${id}-`) && !used.includes(name)),
    )
    .map((name) => `the table ${name} of an earlier version, for an empty one (the setting "tables")`);
}

function lossesOf(id: string, before: TemplateResource, after: TemplateResource | undefined): string[] {
  const { Properties: properties = {} } = before;
  if (
    before.Type === "AWS::ApiGatewayV2::DomainName" &&
    after?.Properties?.DomainName !== properties.DomainName
  )
    return [`its name ${properties.DomainName} (the setting "domain")`];
  if (before.Type !== "AWS::DynamoDB::Table") return [];
  if (after === undefined)
    return [
      before.DeletionPolicy === "Delete"
        ? `the table ${id} with its data`
        : `the table ${id}: it stays with its data, but a later deployment creates an empty one beside it`,
    ];
  const [format, nextFormat] = [formatOf(before), formatOf(after)];
  const kept = featuresOf(id, after);
  return [
    ...(format === nextFormat
      ? []
      : [`the records of ${id}: they are in format ${format}, and this version reads ${nextFormat}`]),
    ...featuresOf(id, before).filter((each) => !kept.includes(each)),
  ];
}

/** 0 before the first release. */
function formatOf({ Properties = {} }: TemplateResource): string {
  const tags = (Properties.Tags ?? []) as readonly { readonly Key: string; readonly Value: string }[];
  return tags.find(({ Key }) => Key === "data-format")?.Value ?? "0";
}

/** The indexes and protections of a table. */
function featuresOf(id: string, { Properties = {}, DeletionPolicy }: TemplateResource): string[] {
  const indexes = (Properties.GlobalSecondaryIndexes ?? []) as readonly { readonly IndexName: string }[];
  const hasRecovery = JSON.stringify(Properties).includes('"PointInTimeRecoveryEnabled":true');
  return [
    ...indexes.map(({ IndexName }) => `the index ${IndexName} of ${id}, whose return reads the whole table`),
    ...(Properties.DeletionProtectionEnabled === true ? [`the deletion protection of ${id}`] : []),
    ...(hasRecovery ? [`the point-in-time recovery of ${id}`] : []),
    ...(DeletionPolicy === "Delete" ? [] : [`the data of ${id} when the stack is deleted`]),
  ];
}
