/** The parts of a CloudFormation template that a deployment can lose. */
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
  const inUse = Object.entries(tablesInUse(deployed)).flatMap(([output, table]) =>
    tablesInUse(next)[output] === table
      ? []
      : [`the table ${table}, which it uses instead of its own (the setting "tables")`],
  );
  return [...resources, ...inUse];
}

/** The tables that a stack uses instead of its own, by output. */
export function tablesInUse({ Outputs = {} }: StackTemplate): Readonly<Record<string, string>> {
  const outputs = Object.entries(Outputs).filter(([name]) => name.endsWith("InUse"));
  return Object.fromEntries(outputs.map(([name, { Value }]) => [name, String(Value)]));
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
  return protections
    .filter(({ isOn }) => isOn(before) && !isOn(after))
    .map(({ loss }) => loss.replace("<table>", id));
}

/** What protects a table, and how its loss is told. */
const protections: readonly { readonly loss: string; isOn(table: TemplateResource): boolean }[] = [
  {
    loss: "the deletion protection of <table>",
    isOn: ({ Properties = {} }) => Properties.DeletionProtectionEnabled === true,
  },
  {
    loss: "the point-in-time recovery of <table>",
    isOn: ({ Properties = {} }) => JSON.stringify(Properties).includes('"PointInTimeRecoveryEnabled":true'),
  },
  {
    loss: "the data of <table> when the stack is deleted",
    isOn: ({ DeletionPolicy }) => DeletionPolicy !== "Delete",
  },
];
