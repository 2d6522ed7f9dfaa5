import { readFileSync } from "node:fs";
import { requiredPermissions } from "../../../local/aws/dynamodb-permissions.ts";
import { evaluate } from "../../../local/aws/iam.ts";
import { localAccount, localRegion } from "../../../local/stack/arn.ts";

export const ACCOUNT = "111111111111";

interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Action?: string | readonly string[];
  readonly NotAction?: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface AwsCall {
  readonly action: string;
  readonly resource: string;
  /** The values of condition keys. A condition on a missing one does not hold. */
  readonly context?: Readonly<Record<string, string>>;
}

export function statementsOf(name: string): readonly Statement[] {
  return JSON.parse(readFileSync(`docs/policies/${name}.json`, "utf8")).Statement;
}

export function listOf(value: string | readonly string[] = []): readonly string[] {
  return typeof value === "string" ? [value] : value;
}

/**
 * What IAM decides about a call by policies out of docs/policies. `@cloud-copilot/iam-simulate` knows more, but is AGPL.
 * @throws {Error} at a statement that it does not know how to read
 */
export function decide(statements: readonly Statement[], { action, resource, context = {} }: AwsCall) {
  const applying = statements.filter(({ Condition = {} }) =>
    Object.entries(Condition).every(([operator, keys]) => {
      if (operator !== "StringEquals") throw new Error(`Unknown operator of a condition: ${operator}`);
      return Object.entries(keys).every(([key, value]) => context[key] === value);
    }),
  );
  const statement = ({ Effect, Action, NotAction, Resource }: Statement) => {
    const excluded = listOf(NotAction).some((each) => each.toLowerCase() === action.toLowerCase());
    const actions = NotAction === undefined ? listOf(Action) : excluded ? [] : ["*"];
    return { effect: Effect, actions, resources: listOf(Resource) };
  };
  return evaluate(applying.map(statement), { action, resource });
}

const arn = (service: string, resource: string) => `arn:aws:${service}:eu-west-1:${ACCOUNT}:${resource}`;

/** What a restore writes into the new table ("Using IAM with DynamoDB backup and restore"). */
const restoring = ["BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan", "UpdateItem"];

type Input = Readonly<Record<string, string | undefined>>;

/** The permissions that a call to a service needs, by AWS's service authorization reference. */
export function callsOf(service: string, operation: string, input: Input): readonly AwsCall[] {
  const action = `${service}:${operation}`;
  const { StackName, RoleArn, SecretId, Name, FunctionName, ResourceArn } = input;
  if (service === "sts") return [{ action, resource: RoleArn ?? "*" }];
  if (service === "cloudformation")
    return [{ action, resource: StackName ? arn(service, `stack/${StackName}/1a2b`) : "*" }];
  if (service === "logs") return [{ action, resource: arn(service, `log-group:${input.logGroupName}`) }];
  if (service === "lambda") return [{ action, resource: arn(service, `function:${FunctionName}`) }];
  if (service === "secretsmanager") {
    const id = SecretId ?? Name ?? "";
    return [{ action, resource: id.startsWith("arn:aws:") ? id : arn(service, `secret:${id}`) }];
  }
  if (service !== "dynamodb") return [{ action, resource: "*" }];
  if (operation === "RestoreTableToPointInTime")
    return [
      { action, resource: arn(service, `table/${input.SourceTableName}`) },
      ...restoring.map((name) => ({
        action: `dynamodb:${name}`,
        resource: arn(service, `table/${input.TargetTableName}`),
      })),
    ];
  if (ResourceArn) return [{ action, resource: ResourceArn }];
  return requiredPermissions(operation, input).map(({ resource }) => ({
    action,
    resource: resource.replace(`${localRegion}:${localAccount}`, `eu-west-1:${ACCOUNT}`),
  }));
}
