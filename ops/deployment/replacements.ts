import { isDeepStrictEqual } from "node:util";

export interface StackTemplate {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value?: unknown }>>;
}

export interface TemplateResource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/**
 * The resources that have something to lose, those of a service's own areas too: in words, and the properties whose pages
 * in CloudFormation's reference say "Update requires: Replacement".
 */
export const stateful: Readonly<Record<string, readonly [noun: string, ...replacing: readonly string[]]>> = {
  "AWS::ApiGatewayV2::DomainName": ["name", "DomainName"],
  "AWS::DynamoDB::GlobalTable": ["table", "KeySchema", "LocalSecondaryIndexes", "TableName"],
  "AWS::DynamoDB::Table": ["table", "ImportSourceSpecification", "KeySchema", "TableName"],
  "AWS::Logs::LogGroup": ["log group", "LogGroupName"],
  "AWS::S3::Bucket": ["bucket", "BucketName", "BucketNamePrefix", "BucketNamespace", "ObjectLockEnabled"],
  "AWS::SecretsManager::Secret": ["secret", "Name"],
  "AWS::SQS::Queue": ["queue", "FifoQueue", "QueueName"],
};

/** The property because of which CloudFormation replaces a resource; undefined if it does not. */
export function replacedBy(before: TemplateResource, after: TemplateResource): string | undefined {
  const [own, next] = [before.Properties ?? {}, after.Properties ?? {}];
  const [, ...replacing] = stateful[before.Type] ?? [""];
  const changed = replacing.find((name) => !isDeepStrictEqual(own[name], next[name]));
  // "Replacement if you edit an existing AttributeDefinition."
  const types = typesOf(next);
  const isEdited = [...typesOf(own)].some(([name, type]) => (types.get(name) ?? type) !== type);
  return changed ?? (isEdited ? "AttributeDefinitions" : undefined);
}

type Properties = NonNullable<TemplateResource["Properties"]>;
type Index = Readonly<{ IndexName: string; KeySchema?: unknown; Projection?: unknown }>;

function typesOf({ AttributeDefinitions = [] }: Properties): Map<string, string> {
  const attributes = AttributeDefinitions as readonly { AttributeName: string; AttributeType: string }[];
  return new Map(attributes.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]));
}

export function indexesOf({ GlobalSecondaryIndexes = [] }: Properties): readonly Index[] {
  return GlobalSecondaryIndexes as readonly Index[];
}

/** @param policy `DeletionPolicy` or `UpdateReplacePolicy` of a resource with data */
export function keepsData(policy = "Delete"): boolean {
  return policy !== "Delete";
}

/** What DynamoDB refuses in the middle of a deployment: one line each, with the way out. */
export function refusals(deployed: StackTemplate, next: StackTemplate): string[] {
  return Object.entries(deployed.Resources).flatMap(([id, before]) => {
    const after = next.Resources[id];
    if (after === undefined || replacedBy(before, after) !== undefined) return [];
    const [own, others] = [before, after].map(
      ({ Properties = {} }) =>
        new Map(indexesOf(Properties).map((each) => [each.IndexName, [each.KeySchema, each.Projection]])),
    ) as [Map<string, unknown>, Map<string, unknown>];
    const names = [...new Set([...own.keys(), ...others.keys()])];
    const changed = names.filter((name) => !own.has(name) || !others.has(name));
    const edited = names.filter(
      (name) => !changed.includes(name) && !isDeepStrictEqual(own.get(name), others.get(name)),
    );
    const way = "declare an index with another name, and remove this one a deployment later";
    return [
      ...edited.map((name) => `another key or projection of the index ${name} of ${id}: ${way}`),
      ...(changed.length > 1
        ? [
            `${changed.length} indexes of ${id} at once (${changed.join(", ")}): create or remove one per deployment`,
          ]
        : []),
    ];
  });
}
