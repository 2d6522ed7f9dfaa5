import { inUseOutput } from "../../lib/construct-ids.ts";
import {
  indexesOf,
  keepsData,
  replacedBy,
  type StackTemplate,
  stateful,
  type TemplateResource,
} from "./replacements.ts";

/** What a stack loses by a deployment although nobody may want that: one line each. */
export function losses(deployed: StackTemplate, next: StackTemplate): string[] {
  const kept = valuesInUse(next);
  const isReplacedBySetting = (id: string) =>
    Object.keys(kept).some((output) => id.startsWith(output.slice(0, -inUseOutput("").length)));
  const resources = Object.entries(deployed.Resources).flatMap(([id, before]) => {
    const after = next.Resources[id];
    if (after?.Type === before.Type) return lossesOf(id, before, after);
    return isReplacedBySetting(id) && before.Type !== TABLE_TYPE ? [] : removal(id, before);
  });
  const inUse = Object.entries(valuesInUse(deployed)).flatMap(([output, value]) => {
    const kind = output.endsWith(TABLE) ? "table" : "secret";
    const isKept = kept[output] === value;
    return isKept ? [] : [`the ${kind} ${value}, which it uses instead of its own (the setting "${kind}s")`];
  });
  return [...resources, ...inUse];
}

const TABLE = inUseOutput("Table");
const TABLE_TYPE = "AWS::DynamoDB::Table";

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
    .filter(([id, { Type }]) => Type === TABLE_TYPE && !deployed.Resources[id])
    .flatMap(([id]) =>
      existing.filter((name) => name.startsWith(`${stackName}-${id}-`) && !used.includes(name)),
    )
    .map((name) => `the table ${name} of an earlier version, for an empty one (the setting "tables")`);
}

function removal(id: string, { Type, DeletionPolicy, Properties = {} }: TemplateResource): string[] {
  if (Type === "AWS::ApiGatewayV2::DomainName") return [lostName(Properties)];
  // Logs are of no use to a function that is gone.
  if (Type !== TABLE_TYPE && (keepsData(DeletionPolicy) || Type === "AWS::Logs::LogGroup")) return [];
  const [noun] = stateful[Type] ?? [];
  if (noun === undefined) return [];
  return [
    keepsData(DeletionPolicy)
      ? `the ${noun} ${id}: it stays with its data, but a later deployment creates an empty one beside it`
      : `the ${noun} ${id} with its data`,
  ];
}

function lostName({ DomainName }: NonNullable<TemplateResource["Properties"]>): string {
  return `its name ${DomainName} (the setting "domain")`;
}

function lossesOf(id: string, before: TemplateResource, after: TemplateResource): string[] {
  const property = replacedBy(before, after);
  if (property === "DomainName") return [lostName(before.Properties ?? {})];
  const [format, nextFormat] = [formatOf(before), formatOf(after)];
  const kept = featuresOf(id, after);
  return [
    ...(property === undefined
      ? []
      : [
          `the ${stateful[before.Type]?.[0]} ${id}${keepsData(before.UpdateReplacePolicy) ? ", which stays beside an empty one" : " with its data"}: CloudFormation replaces it, because ${property} changes; declare another one, with another name, beside it`,
        ]),
    ...(format === nextFormat
      ? []
      : [`the records of ${id}: they are in format ${format}, and this version reads ${nextFormat}`]),
    ...featuresOf(id, before).filter((each) => !kept.includes(each)),
  ];
}

/** 0 before the first release. */
function formatOf({ Type, Properties = {} }: TemplateResource): string {
  if (Type !== TABLE_TYPE) return "0";
  const tags = (Properties.Tags ?? []) as readonly { readonly Key: string; readonly Value: string }[];
  return tags.find(({ Key }) => Key === "data-format")?.Value ?? "0";
}

/** The indexes and protections of a resource with data. */
function featuresOf(id: string, { Type, Properties = {}, DeletionPolicy }: TemplateResource): string[] {
  if (stateful[Type] === undefined) return [];
  const hasRecovery = JSON.stringify(Properties).includes('"PointInTimeRecoveryEnabled":true');
  const copies = (Properties.ReplicaRegions ?? []) as readonly { readonly Region: string }[];
  return [
    ...indexesOf(Properties).map(
      ({ IndexName }) => `the index ${IndexName} of ${id}, whose return reads the whole table`,
    ),
    ...(Properties.DeletionProtectionEnabled === true ? [`the deletion protection of ${id}`] : []),
    ...(hasRecovery ? [`the point-in-time recovery of ${id}`] : []),
    ...copies.map(({ Region }) => `the copy of ${id} in ${Region}`),
    ...(keepsData(DeletionPolicy) ? [`the data of ${id} when the stack is deleted`] : []),
  ];
}
