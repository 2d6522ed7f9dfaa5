import { join } from "node:path";
import type { Stack } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from "aws-cdk-lib/aws-lambda";
import type { LambdaName } from "../functions/routes.ts";
import { type IndexPath, pascalCase, type SecretName, type TableName } from "../lib/areas.ts";
import { entryAttributes } from "../lib/repositories/records/idempotency.ts";
import { secretVariable, tableVariable } from "../lib/settings.ts";
import { bundleFunctions } from "./build/bundle.ts";
import { writeDocumentation } from "./build/documentation.ts";
import { createLogGroup } from "./log-group.ts";
import { metricsNamespace } from "./monitoring/metrics.ts";
import type { Secrets } from "./secrets.ts";
import { sizing } from "./sizing.ts";
import type { Stage } from "./stages.ts";
import type { Tables } from "./tables.ts";

/** The functions of the stack. */
export type Functions = Readonly<Record<LambdaName, LambdaFunction>>;

/** The DynamoDB actions that a function may use, by table or index. */
type Grants = { readonly [T in TableName | IndexPath]?: readonly `dynamodb:${string}`[] };

/** The actions that `lib/repositories/records/record-repository.ts` uses. */
const recordActions = [
  "dynamodb:BatchGetItem",
  "dynamodb:ConditionCheckItem",
  "dynamodb:DeleteItem",
  "dynamodb:GetItem",
  "dynamodb:PutItem",
  "dynamodb:Query",
  "dynamodb:UpdateItem",
] as const;

/** The actions that `lib/repositories/repair/id-repair.ts` uses, with `dynamodb:Query` of the table or its index. */
const repairActions = ["dynamodb:GetItem", "dynamodb:UpdateItem"] as const;

/** The actions that registering an account uses. `GetItem` reads an idempotency key, and what a batch left unprocessed. */
const registrationActions = ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem"] as const;

const grants: Readonly<Record<LambdaName, Grants>> = {
  accounts: { accounts: [...registrationActions, "dynamodb:Query"] },
  "api-key": { users: ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"] },
  orders: {
    orders: recordActions,
    "orders/index/by-status": ["dynamodb:Query"],
    "orders/index/by-user": ["dynamodb:Query"],
    products: ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:UpdateItem"],
  },
  products: { accounts: ["dynamodb:GetItem"], products: recordActions },
  // Handles `POST /users/` and `POST /items/` where the gateway distinguishes them from the paths without a slash.
  fallback: {
    accounts: registrationActions,
    items: [
      "dynamodb:BatchGetItem",
      "dynamodb:ConditionCheckItem",
      "dynamodb:GetItem",
      "dynamodb:PutItem",
      "dynamodb:UpdateItem",
    ],
  },
  items: { items: recordActions },
  // `GetItem` reads what a batch left unprocessed.
  login: { accounts: ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:UpdateItem"] },
  posts: {
    posts: recordActions,
    "posts/index/by-author": ["dynamodb:Query"],
    users: ["dynamodb:BatchGetItem", "dynamodb:GetItem"],
  },
  repair: {
    items: [...repairActions, "dynamodb:Query"],
    // Deletes abandoned reservations.
    orders: [...repairActions, "dynamodb:DeleteItem", "dynamodb:Query"],
    posts: [...repairActions, "dynamodb:Query"],
    products: [...repairActions, "dynamodb:Query"],
    todos: [...repairActions, "dynamodb:Query"],
    users: [...repairActions, "dynamodb:Query"],
  },
  // The readiness check reads one item.
  system: { todos: ["dynamodb:GetItem"] },
  todos: { todos: recordActions },
  // Filters users by the role of their accounts; handles `POST /users/` where the gateway ignores the slash.
  users: {
    users: recordActions,
    accounts: [...registrationActions, "dynamodb:Query"],
  },
};

type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** An account's attributes without its password hash, and those of an idempotency key's entry. */
const readableAttributes = ["pk", "sk", "username", "email", "role", ...entryAttributes];

/** `Select` is needed, because a request that names no attributes would return all of them. */
const withoutHashes: Conditions = {
  "ForAllValues:StringEquals": { "dynamodb:Attributes": readableAttributes },
  StringEqualsIfExists: { "dynamodb:Select": "SPECIFIC_ATTRIBUTES" },
};

/**
 * The condition under which a function may use an action on the accounts table, whatever its code does: only the login
 * may read password hashes, nobody may grant a role, and `users` lists privileged accounts only. A condition
 * cannot tell a new account from an existing one (docs/adr/0024).
 */
function accountConditions(name: LambdaName, action: string): Conditions | undefined {
  switch (action) {
    case "dynamodb:PutItem":
      return {
        "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["accounts#*", "email#*", "key#*"] },
        "ForAllValues:StringEquals": {
          "dynamodb:Attributes": [
            ...["pk", "sk", "username", "email", "passwordHash", "age", "website"],
            ...entryAttributes,
          ],
        },
      };
    case "dynamodb:UpdateItem":
      return {
        "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["accounts#*", "failures#*"] },
        "ForAllValues:StringEquals": {
          "dynamodb:Attributes": [
            ...["pk", "sk", "passwordHash"],
            ...["failures", "updatedAt", "attemptId", "expires_at"],
          ],
        },
      };
    case "dynamodb:Query":
      return {
        ...withoutHashes,
        "ForAllValues:StringLike": {
          "dynamodb:LeadingKeys": name === "users" ? ["privileged"] : ["accounts#*"],
        },
      };
    default:
      return name === "login" ? undefined : withoutHashes;
  }
}

/** The settings of the stage that a function needs, as environment variables. */
const settingVariables = (
  stage: Stage,
): { readonly [F in LambdaName]?: Readonly<Record<string, string>> } => ({
  items: { ITEM_CACHE_SECONDS: String(stage.itemCacheSeconds) },
  users: { USERS_LIST: stage.usersList, VERSION_HEADER: stage.versionHeader },
});

/** The secrets that a function may read. */
const secretGrants: { readonly [F in LambdaName]?: readonly SecretName[] } = {
  accounts: ["SIGNING_SECRETS"],
  "api-key": ["API_KEYS"],
  login: ["SIGNING_SECRETS"],
  products: ["SIGNING_SECRETS"],
};

interface Resources {
  readonly tables: Tables;
  readonly secrets: Secrets;
}

/**
 * One Lambda function per route group, the fallback and the repair, each with its own role, log group and bundle.
 *
 * @param outdir the directory for the bundles, inside the cloud assembly
 */
export function functions(stack: Stack, stage: Stage, resources: Resources, outdir: string): Functions {
  const names = Object.keys(grants) as LambdaName[];
  bundleFunctions(names, outdir);
  writeDocumentation(join(outdir, "system", "documentation"), stage);
  return Object.fromEntries(
    names.map((name) => [name, createFunction(stack, stage, name, resources, join(outdir, name))]),
  ) as Functions;
}

function createFunction(
  stack: Stack,
  stage: Stage,
  name: LambdaName,
  { tables, secrets }: Resources,
  bundle: string,
) {
  const id = pascalCase(name);
  const logGroup = createLogGroup(stack, stage, `${id}Logs`);
  const role = new Role(stack, `${id}Role`, { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  logGroup.grantWrite(role);

  const lambda = new LambdaFunction(stack, `${id}Function`, {
    description: `resource-api ${stage.name}: ${name}`,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(bundle),
    handler: "index.handler",
    role,
    logGroup,
    // Without a start and a report line per request. Time-outs and crashes are still logged.
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
    ...sizing(name, stage),
    environment: {
      METRICS_NAMESPACE: metricsNamespace(stage),
      SERVICE_NAME: name,
      ...settingVariables(stage)[name],
    },
  });
  for (const [target, actions] of Object.entries(grants[name])) {
    const [table, ...index] = target.split("/") as [TableName, ...string[]];
    const { tableName, tableArn } = tables[table];
    lambda.addEnvironment(tableVariable(table), tableName);
    for (const statement of statementsOf(name, table, actions, [tableArn, ...index].join("/")))
      role.addToPolicy(statement);
  }
  for (const secret of secretGrants[name] ?? []) {
    const { secretArn } = secrets[secret];
    lambda.addEnvironment(secretVariable(secret), secretArn);
    role.addToPolicy(
      new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [secretArn] }),
    );
  }
  return lambda;
}

/** A statement for the actions without conditions, and one for those that share conditions. */
function statementsOf(
  name: LambdaName,
  table: TableName,
  actions: readonly string[],
  resource: string,
): PolicyStatement[] {
  const conditionsOf = (action: string) =>
    table === "accounts" ? accountConditions(name, action) : undefined;
  const byConditions = Map.groupBy(actions, (action) => JSON.stringify(conditionsOf(action) ?? {}));
  return [...byConditions].map(
    ([conditions, actions]) =>
      new PolicyStatement({ actions, resources: [resource], conditions: JSON.parse(conditions) }),
  );
}
