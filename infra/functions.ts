import { join } from "node:path";
import { RemovalPolicy, type Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Group } from "../functions/routes.ts";
import { bundleFunctions } from "./build/bundle.ts";
import { writeDocumentation } from "./build/documentation.ts";
import type { SecretName, Secrets } from "./secrets.ts";
import { sizingOf } from "./sizing.ts";
import type { Stage } from "./stages.ts";
import type { IndexName, TableName, Tables } from "./tables.ts";

/** Where the functions' metrics are in CloudWatch. */
export function metricsNamespace(stage: Stage): string {
  return `resource-api/${stage.name}`;
}

export type FunctionName = Group | "fallback";

/** DynamoDB actions by table or index: what a function may do, and all that it may do. */
type Grants = { readonly [T in TableName | IndexName]?: readonly `dynamodb:${string}`[] };

/** What `lib/repositories/records/record-repository.ts` calls. */
const records = [
  "dynamodb:ConditionCheckItem",
  "dynamodb:DeleteItem",
  "dynamodb:GetItem",
  "dynamodb:PutItem",
  "dynamodb:Query",
  "dynamodb:UpdateItem",
] as const;

const grantsOf: Readonly<Record<FunctionName, Grants>> = {
  accounts: {
    accounts: [
      "dynamodb:BatchGetItem",
      "dynamodb:GetItem",
      "dynamodb:PutItem",
      "dynamodb:Query",
      "dynamodb:UpdateItem",
    ],
  },
  "api-key": { users: ["dynamodb:Query"] },
  orders: {
    orders: records,
    "orders/index/by-status": ["dynamodb:Query"],
    "orders/index/by-user": ["dynamodb:Query"],
    products: ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:UpdateItem"],
  },
  products: { accounts: ["dynamodb:GetItem"], products: records },
  // It registers accounts and stores items: `POST /users/` and `POST /items/` end in a slash.
  fallback: {
    accounts: ["dynamodb:GetItem", "dynamodb:PutItem"],
    items: ["dynamodb:ConditionCheckItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
  },
  items: { items: records, "items/index/names": ["dynamodb:Query"] },
  posts: {
    posts: [...records, "dynamodb:BatchGetItem"],
    "posts/index/by-author": ["dynamodb:Query"],
    users: ["dynamodb:GetItem"],
  },
  // Readiness is one read.
  system: { todos: ["dynamodb:GetItem"] },
  todos: { todos: records },
  // It filters users by their accounts' role, and registers accounts as the fallback does.
  users: { users: records, accounts: ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"] },
};

/** What the functions are told of the stage's settings, as environment variables. */
const settingsOf = (stage: Stage): { readonly [F in FunctionName]?: Readonly<Record<string, string>> } => ({
  items: { ITEM_CACHE_SECONDS: String(stage.itemCacheSeconds) },
  users: { USERS_LIST: stage.usersList, VERSION_HEADER: stage.versionHeader },
});

/** The secrets that a function may read. */
const secretsOf: { readonly [F in FunctionName]?: readonly SecretName[] } = {
  accounts: ["SIGNING_SECRETS"],
  "api-key": ["API_KEYS"],
  products: ["SIGNING_SECRETS"],
};

/** What functions are given access to. */
interface Resources {
  readonly tables: Tables;
  readonly secrets: Secrets;
}

/**
 * One Lambda function per route group, each with a role, a log group and a bundle of its own.
 *
 * @param outdir where the bundles are made, below the cloud assembly
 * @returns the functions by their folder's name
 */
export function functions(
  stack: Stack,
  stage: Stage,
  resources: Resources,
  outdir: string,
): ReadonlyMap<FunctionName, LambdaFunction> {
  const names = Object.keys(grantsOf) as FunctionName[];
  bundleFunctions(names, outdir);
  writeDocumentation(join(outdir, "system", "documentation"), stage);
  return new Map(
    names.map((name) => [name, groupFunction(stack, stage, name, resources, join(outdir, name))]),
  );
}

function groupFunction(
  stack: Stack,
  stage: Stage,
  name: FunctionName,
  { tables, secrets }: Resources,
  bundle: string,
) {
  const id = pascalCase(name);
  const logGroup = new LogGroup(stack, `${id}Logs`, {
    retention: stage.logRetention,
    removalPolicy: stage.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  const role = new Role(stack, `${id}Role`, { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  logGroup.grantWrite(role);
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM5[Resource::*]",
    reason: "X-Ray's actions have no resources: tracing can be allowed on * alone",
  });

  const lambda = new LambdaFunction(stack, `${id}Function`, {
    description: `resource-api ${stage.name}: ${name}`,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(bundle),
    handler: "index.handler",
    role,
    logGroup,
    tracing: Tracing.ACTIVE,
    ...sizingOf(name, stage),
    environment: {
      NODE_OPTIONS: "--enable-source-maps",
      POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(stage),
      POWERTOOLS_SERVICE_NAME: name,
      ...settingsOf(stage)[name],
    },
  });
  for (const [target, actions] of Object.entries(grantsOf[name])) {
    const [table, ...index] = target.split("/") as [TableName, ...string[]];
    const { tableName, tableArn } = tables[table];
    lambda.addEnvironment(`${table.toUpperCase()}_TABLE`, tableName);
    role.addToPolicy(
      new PolicyStatement({ actions: [...actions], resources: [[tableArn, ...index].join("/")] }),
    );
  }
  for (const secret of secretsOf[name] ?? []) {
    const resources = [secrets[secret].secretArn];
    lambda.addEnvironment(`${secret}_ARN`, secrets[secret].secretArn);
    role.addToPolicy(new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources }));
  }
  return lambda;
}

/** `api-key` becomes `ApiKey`: construct ids have no dashes. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
}
