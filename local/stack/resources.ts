import { CommandError } from "../../cli/errors.ts";
import { OF_AREA } from "../../lib/construct-ids.ts";
import { localAccount, localArn, localRegion } from "./arn.ts";

export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

export interface Resource {
  readonly logicalId: string;
  readonly label: string;
  readonly ref: string;
  /** Undefined for types whose ARN nothing refers to. */
  readonly arn: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: CDK checked the properties when it wrote the template
  readonly properties: any;
  readonly metadata: NonNullable<TemplateResource["Metadata"]>;
}

/**
 * Names a template's resources as CloudFormation would, without the random part, and resolves references.
 *
 * @returns finds all resources of a type. Only these are resolved: alarms may use what can't run locally.
 */
export function resolveResources(template: Template, stackName: string): (type: string) => Resource[] {
  const pseudoParameters: Readonly<Record<string, string>> = {
    "AWS::AccountId": localAccount,
    "AWS::Partition": "aws",
    "AWS::Region": localRegion,
    "AWS::StackName": stackName,
    "AWS::URLSuffix": "amazonaws.com",
  };

  /** @param path a logical id, or one with an attribute such as `Role.Arn` */
  function lookUp(path: string): string | undefined {
    const [logicalId = "", attribute] = path.split(/\.(.*)/s);
    const resource = template.Resources[logicalId];
    if (resource === undefined) return pseudoParameters[path];
    const ref = refOf(resource, logicalId, stackName);
    return attribute === undefined ? ref : attributeOf(resource, ref, attribute);
  }

  function resolveIntrinsic(value: unknown, owner: string): unknown {
    const [[name, argument] = [""]] = typeof value === "object" ? Object.entries(value ?? {}) : [];
    const refer = (path: string) => lookUp(path) ?? unsupported(owner, `${name} ${path}`);
    switch (name) {
      case "Ref":
      case "Fn::GetAtt":
        return refer([argument].flat().join("."));
      case "Fn::Join": {
        const [separator, values] = argument as [string, unknown[]];
        return values.join(separator);
      }
      case "Fn::Sub":
        return String(argument).replace(/\$\{([^}]+)\}/g, (_, path) => refer(path));
      default:
        return name.startsWith("Fn::") ? unsupported(owner, name) : value;
    }
  }

  return (wantedType) =>
    Object.entries(template.Resources)
      // The visitor and the trial, which get no requests, have their code in the template.
      .filter(([, each]) => each.Type === wantedType && !hasInlineCode(each.Properties) && !isOfArea(each))
      .map(([logicalId, resource]) => ({
        logicalId,
        label: labelOf(logicalId),
        ref: refOf(resource, logicalId, stackName),
        arn: lookUp(`${logicalId}.Arn`),
        // The reviver gets the innermost values first.
        properties: JSON.parse(JSON.stringify(resource.Properties ?? {}), (_, value) =>
          resolveIntrinsic(value, logicalId),
        ),
        metadata: resource.Metadata ?? {},
      }));
}

/** The logical id without CDK's hash. */
export function labelOf(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, "");
}

/** Whether an area added the resource to the stack: the local run leaves it out. */
export function isOfArea({ Metadata }: TemplateResource): boolean {
  return Metadata?.[OF_AREA] !== undefined;
}

function hasInlineCode(properties: TemplateResource["Properties"]): boolean {
  return (properties?.Code as { ZipFile?: unknown } | undefined)?.ZipFile !== undefined;
}

/** @throws {CommandError} because this stack has something that the local run has no equivalent of */
export function unsupported(logicalId: string, what: string): never {
  throw new CommandError(`${logicalId}: the local run does not support ${what}.`);
}

/** Names are CDK's, also where the app gives a resource another one: references are resolved to them. */
function refOf({ Type, Properties }: TemplateResource, logicalId: string, stackName: string): string {
  switch (Type) {
    case "AWS::ApiGatewayV2::Api":
      return logicalId.toLowerCase();
    case "AWS::ApiGatewayV2::Integration":
      return logicalId;
    case "AWS::Lambda::Alias":
      return localArn("lambda", `function:${logicalId}:${Properties?.Name}`);
    case "AWS::SecretsManager::Secret":
      return localArn("secretsmanager", `secret:${logicalId}`);
    default:
      return `${stackName}-${logicalId}`;
  }
}

function attributeOf(resource: TemplateResource, ref: string, attribute: string): string | undefined {
  if (isOfArea(resource)) return attribute === "Arn" ? localArn("none", ref) : `${ref}-${attribute}`;
  if (attribute.endsWith("Arn")) return arnOf(resource.Type, ref);
  return resource.Type === "AWS::Lambda::Version" && attribute === "Version" ? "1" : undefined;
}

function arnOf(type: string, name: string): string | undefined {
  switch (type) {
    case "AWS::DynamoDB::Table":
      return localArn("dynamodb", `table/${name}`);
    case "AWS::IAM::Role":
      return `arn:aws:iam::${localAccount}:role/${name}`;
    case "AWS::Lambda::Function":
      return localArn("lambda", `function:${name}`);
    case "AWS::SQS::Queue":
      return localArn("sqs", name);
    case "AWS::Logs::LogGroup":
      return `${localArn("logs", `log-group:${name}`)}:*`;
    default:
      return undefined;
  }
}
