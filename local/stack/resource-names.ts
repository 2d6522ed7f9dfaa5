import type { Names, Resource, Template } from "./intrinsics.ts";

/** The account that local ARNs name. */
export const localAccount = "000000000000";

/** The region that local ARNs name, and that the functions run in. */
export const localRegion = "us-east-1";

/**
 * Gives the resources of a template the names that they would get from CloudFormation, without the random part.
 *
 * @param template the template
 * @param stackName the stack's name, the first part of generated names
 * @returns the values of `Ref` and `Fn::GetAtt`
 */
export function nameResources(template: Template, stackName: string): Names {
  const pseudo: Record<string, string> = {
    "AWS::AccountId": localAccount,
    "AWS::Partition": "aws",
    "AWS::Region": localRegion,
    "AWS::StackName": stackName,
    "AWS::URLSuffix": "amazonaws.com",
  };

  function ref(logicalId: string): string | undefined {
    const parameter = template.Parameters?.[logicalId]?.Default;
    const resource = template.Resources[logicalId];
    if (resource !== undefined) return refOf(logicalId, resource);
    return pseudo[logicalId] ?? (parameter === undefined ? undefined : String(parameter));
  }

  function refOf(logicalId: string, resource: Resource): string {
    const own = physicalName(resource) ?? generatedName(logicalId, resource.Type);
    return resource.Type === "AWS::SecretsManager::Secret" ? arn("secretsmanager", `secret:${own}`) : own;
  }

  function generatedName(logicalId: string, type: string): string {
    if (type === "AWS::ApiGatewayV2::Api") return logicalId.toLowerCase();
    // CloudFormation leaves the stack's name away from these.
    if (type === "AWS::ApiGatewayV2::Integration" || type === "AWS::SecretsManager::Secret") return logicalId;
    return `${stackName}-${logicalId}`;
  }

  function attribute(logicalId: string, name: string): string | undefined {
    const resource = template.Resources[logicalId];
    if (resource === undefined) return undefined;
    const own = refOf(logicalId, resource);
    switch (`${resource.Type} ${name}`) {
      case "AWS::DynamoDB::Table Arn":
        return arn("dynamodb", `table/${own}`);
      case "AWS::Lambda::Function Arn":
        return arn("lambda", `function:${own}`);
      case "AWS::IAM::Role Arn":
        return `arn:aws:iam::${localAccount}:role/${own}`;
      case "AWS::Logs::LogGroup Arn":
        return `${arn("logs", `log-group:${own}`)}:*`;
      case "AWS::ApiGatewayV2::Api ApiEndpoint":
        return `https://${own}.execute-api.${localRegion}.amazonaws.com`;
      case "AWS::SSM::Parameter Value":
        return typeof resource.Properties?.Value === "string" ? resource.Properties.Value : undefined;
      default:
        return undefined;
    }
  }

  return { ref, attribute };
}

/** The properties that name a resource explicitly. */
const nameProperties = ["TableName", "FunctionName", "RoleName", "LogGroupName", "StageName"] as const;

function physicalName({ Type, Properties = {} }: Resource): string | undefined {
  const named = Type === "AWS::SecretsManager::Secret" || Type === "AWS::SSM::Parameter";
  const properties = named ? ["Name"] : nameProperties;
  const value = properties.map((property) => Properties[property]).find((entry) => entry !== undefined);
  return typeof value === "string" ? value : undefined;
}

function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${localRegion}:${localAccount}:${resource}`;
}
