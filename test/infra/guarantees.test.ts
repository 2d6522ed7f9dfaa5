import { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { routesByArea, tableNames, tables } from "../../functions/definitions.ts";
import { domainMapping } from "../../infra/gateway/domain.ts";
import { lambdas } from "../../infra/lambdas.ts";
import { OF_AREA, pascalCase, SERVICE_NAME } from "../../lib/construct-ids.ts";
import { acknowledgements, configuredStage, stackProperties } from "../support/infra/assembly.ts";
import { type Resource, resourcesOf, stageTemplate, templateOf } from "../support/infra/templates.ts";

const templates = { dev: stageTemplate("dev"), prod: stageTemplate("prod") };
const stages = ["dev", "prod"] as const;

function all(stage: (typeof stages)[number], type?: string): Resource[] {
  return resourcesOf(templates[stage], type).map(([, resource]) => resource);
}

interface Statement extends Partial<Record<"Resource" | "Principal" | "Condition", unknown>> {
  readonly Effect: string;
  readonly Action: string | string[];
}

const id = ["pk S HASH", "sk N RANGE"];
/** The released tables. Do not change these: CloudFormation would replace a table with another id or key, without its data. */
const released = {
  accounts: { logicalId: "AccountsTable81C15AE5", keys: ["pk S HASH", "sk S RANGE"], indexes: {} },
  items: { logicalId: "ItemsTable5AAC2C46", keys: id, indexes: {} },
  orders: {
    logicalId: "OrdersTable315BB997",
    keys: id,
    indexes: { "by-status": ["status S HASH", "sk N RANGE"], "by-user": ["user_id N HASH", "sk N RANGE"] },
  },
  posts: {
    logicalId: "PostsTableC82B36F0",
    keys: id,
    indexes: { "by-author": ["author_id N HASH", "sk N RANGE"] },
  },
  products: { logicalId: "ProductsTable241ADBFF", keys: id, indexes: {} },
  todos: { logicalId: "TodosTable250330D8", keys: id, indexes: {} },
  users: { logicalId: "UsersTable9725E9C8", keys: id, indexes: {} },
};
const releasedTables = Object.entries(released).filter(([area]) => area in routesByArea);

function keysOf({ Properties }: Resource) {
  const { AttributeDefinitions, GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = Properties;
  const typeOf = (name: string) =>
    AttributeDefinitions.find((each: { AttributeName: string }) => each.AttributeName === name).AttributeType;
  const keys = (schema: { AttributeName: string; KeyType: string }[]) =>
    schema.map(({ AttributeName: name, KeyType: kind }) => `${name} ${typeOf(name)} ${kind}`);
  const indexes = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes];
  const keysByIndex = indexes.map(({ IndexName, KeySchema }) => [IndexName, keys(KeySchema)]);
  return { keys: keys(Properties.KeySchema), indexes: Object.fromEntries(keysByIndex) };
}

describe.each(stages)("the %s stack's data", (stage) => {
  it.each(releasedTables)("of %s is in this table, under these keys", (_, { logicalId, ...expected }) => {
    const found = new Map(resourcesOf(templates[stage], "AWS::DynamoDB::Table"));
    expect([...found.keys()]).toContain(logicalId);
    expect(keysOf(found.get(logicalId) as Resource)).toEqual(expected);
  });

  it("is deleted with the stack in dev and kept in prod, like secrets and logs", () => {
    const isKept = stage === "prod";
    const policy = isKept ? "Retain" : "Delete";
    for (const { Properties, ...table } of all(stage, "AWS::DynamoDB::Table")) {
      expect(table).toMatchObject({ DeletionPolicy: policy, UpdateReplacePolicy: policy });
      expect(Properties.DeletionProtectionEnabled).toBe(isKept);
      expect(Properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: isKept });
    }
    // A first deployment that fails leaves none of these.
    const used = { DeletionPolicy: isKept ? "RetainExceptOnCreate" : policy, UpdateReplacePolicy: policy };
    for (const type of ["AWS::SecretsManager::Secret", "AWS::Logs::LogGroup"])
      for (const each of all(stage, type)) expect(each).toMatchObject(used);
    expect(stackProperties(stage).terminationProtection ?? false).toBe(isKept);
  });
});

describe.each(stages)("the %s stack", (stage) => {
  it("is public only through the gateway", () => {
    const statements = all(stage).flatMap(({ Properties = {} }): Statement[] =>
      [Properties.PolicyDocument, Properties.AssumeRolePolicyDocument].flatMap(
        (each) => each?.Statement ?? [],
      ),
    );
    const isPublic = ({ Effect, Principal = "" }: Statement) =>
      Effect !== "Deny" && JSON.stringify(Principal).includes("*");
    expect(statements.filter(isPublic)).toEqual([]);
    const ids = new Set(resourcesOf(templates[stage]).map(([id]) => id));
    for (const [id, { Properties }] of resourcesOf(templates[stage], "AWS::Lambda::Permission")) {
      const { Principal, SourceArn = "", SourceAccount } = Properties;
      expect(Properties, `${id}: declare a route instead`).not.toHaveProperty("FunctionUrlAuthType");
      expect(Principal, `${id}: name a service of AWS`).toMatch(/^[a-z0-9]+\.amazonaws\.com$/);
      const [, source = ""] = /\{"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(SourceArn)) ?? [];
      const isOwn = ids.has(source) || JSON.stringify(SourceAccount) === '{"Ref":"AWS::AccountId"}';
      expect(isOwn, `${id}: give it a \`sourceArn\` of this stack`).toBe(true);
      if (Principal === "apigateway.amazonaws.com") expect(source).toBe("ApiF70053CD");
    }
  });

  it("lets only Lambda assume the functions' roles, and only services the others", () => {
    const roles = JSON.stringify(all(stage, "AWS::Lambda::Function").map((each) => each.Properties.Role));
    for (const [id, { Properties, Metadata }] of resourcesOf(templates[stage], "AWS::IAM::Role")) {
      const isOfFunction = roles.includes(`"${id}"`);
      const Service = isOfFunction ? "lambda.amazonaws.com" : expect.any(String);
      for (const { Principal } of Properties.AssumeRolePolicyDocument.Statement)
        expect(Principal, id).toEqual({ Service });
      // An area's own needs an acknowledgement.
      if (isOfFunction && Metadata?.[OF_AREA] === undefined)
        expect(Properties).not.toHaveProperty("ManagedPolicyArns");
    }
  });

  it("names actions and resources, except for acknowledged wildcards", () => {
    const { pathOf, rules } = acknowledgements(stage);
    const explained = rules.filter((each) => each.id.includes("AwsSolutions-IAM5["));
    const unexplained = resourcesOf(templates[stage], "AWS::IAM::Policy").flatMap(([id, { Properties }]) => {
      if (explained.some(({ path }) => pathOf(id).startsWith(`${path}/`))) return [];
      const statements: Statement[] = Properties.PolicyDocument.Statement;
      return statements
        .filter(({ Effect }) => Effect === "Allow")
        .map(({ Action, Resource }) => ({ id, Action, Resource }))
        .filter(({ Action, Resource }) => JSON.stringify([Action, Resource]).includes("*"));
    });

    expect(
      unexplained,
      "Name actions and resources (`lambda.addToRolePolicy`), or say in constructs.ts why it needs a wildcard: " +
        'Validations.of(lambda.role ?? lambda).acknowledge({ id: "AwsSolutions-IAM5[Action::s3:List*]", reason: "…" }), ' +
        "with the ids that `npm run synth` prints",
    ).toEqual([]);
  });

  it("lets nobody grant a role, and only the login read password hashes, whatever the code does", () => {
    type Conditions = Record<string, Record<string, string | string[]>>;
    const onAccounts = all(stage, "AWS::IAM::Policy").flatMap(({ Properties }) =>
      (Properties.PolicyDocument.Statement as Statement[])
        .filter(({ Resource }) => JSON.stringify(Resource ?? "").includes("AccountsTable"))
        .map(({ Action, Condition = {} }) => ({
          name: String(Properties.PolicyName).replace(/Role.*/, ""),
          actions: [Action].flat().map((action) => action.replace("dynamodb:", "")),
          attributes: (Condition as Conditions)["ForAllValues:StringEquals"]?.["dynamodb:Attributes"],
          keys: (Condition as Conditions)["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"],
          select: (Condition as Conditions).StringEqualsIfExists?.["dynamodb:Select"],
        })),
    );
    const ifAny = (area: string) => (area in routesByArea ? [pascalCase(area)] : []);
    const using = (...actions: string[]) =>
      onAccounts.filter((each) => each.actions.some((action) => actions.includes(action)));

    const everyAction = new Set(onAccounts.flatMap(({ actions }) => actions));
    expect([...everyAction].sort()).toEqual([
      ...["BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"],
    ]);
    const namesUsing = (action: string) => using(action).map(({ name }) => name);
    expect(namesUsing("PutItem").sort()).toEqual(["Accounts", "Fallback", "Login", ...ifAny("users")]);
    expect(namesUsing("UpdateItem")).toEqual(["Login", ...ifAny("passwords")]);
    for (const { attributes } of using("ConditionCheckItem")) expect(attributes).toEqual(["pk", "sk"]);
    const keysUsing = (action: string) => using(action).map(({ name, keys }) => [name, keys]);
    expect(keysUsing("DeleteItem")).toEqual([["Login", ["email#*", "privileged"]]]);
    for (const { attributes, keys } of using("PutItem", "UpdateItem")) {
      expect(attributes).toContain("passwordHash");
      expect(attributes).not.toContain("role");
      expect(keys).not.toContain("privileged");
    }
    const readers = using("BatchGetItem", "GetItem", "Query").filter(({ name }) => name !== "Login");
    for (const { name, attributes, keys, select } of readers)
      if (name === "System") expect(keys).toEqual(["readiness"]);
      else {
        expect(attributes).toContain("role");
        expect(attributes).not.toContain("passwordHash");
        expect(select).toBe("SPECIFIC_ATTRIBUTES");
      }
    expect(keysUsing("Query")).toEqual([
      ["Accounts", ["accounts#*"]],
      ...ifAny("users").map((name) => [name, ["privileged"]]),
    ]);
  });

  it("masks credentials in every log", () => {
    const policies = resourcesOf(templates[stage], "AWS::Logs::LogGroup").map(
      ([id, { Properties }]) => [id, Properties.DataProtectionPolicy] as const,
    );
    const [, policy] = policies[0] ?? [];
    for (const [id, each] of policies) {
      const advice = `Instead of ${id} give the function in constructs.ts \`logGroup: lambda.logGroup\``;
      expect(each, advice).toEqual(policy);
    }
    const { Configuration, Statement } = policy;
    const patterns = Configuration.CustomDataIdentifier.map(({ Regex }: { Regex: string }) => RegExp(Regex));
    const credentials = [
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg",
      "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaA",
      "KclaCskcQf8aVcA5tf68PlPwDwnA12QK11NxAqv3rCJ2JDWG",
    ];
    const found = credentials.map((text) => patterns.findIndex((each: RegExp) => each.test(text)));
    expect(found).toEqual([0, 1, 2]);
    expect(Statement[1].Operation).toEqual({ Deidentify: { MaskConfig: {} } });
    expect(JSON.stringify(Statement[1].DataIdentifier)).toMatch(/AwsSecretKey.*OpenSshPrivateKey.*Token/);
    // CloudWatch allows no groups, and 200 characters.
    for (const { source } of patterns) expect(source).toMatch(/^[^()]{1,200}$/);
  });

  it("ends every function that a route invokes within the gateway's 30 s", () => {
    const namesIn = (value: unknown) => JSON.stringify(value).match(/\w+/g) ?? [];
    const integrated = new Set(namesIn(all(stage, "AWS::ApiGatewayV2::Integration")));
    const aliases = resourcesOf(templates[stage], "AWS::Lambda::Alias").filter(([id]) => integrated.has(id));
    const ofAliases = namesIn(aliases.map(([, { Properties }]) => Properties.FunctionName));
    const invoked = new Set([...integrated, ...ofAliases]);
    const functions = resourcesOf(templates[stage], "AWS::Lambda::Function");
    const timeouts = functions.flatMap(([id, each]) => (invoked.has(id) ? [each.Properties.Timeout] : []));
    expect(timeouts).toHaveLength(Object.keys(lambdas).length - 1);
    for (const timeout of timeouts) expect(timeout).toBeLessThan(30);
  });

  it("creates the stage after the routes whose limits it has", () => {
    const [stageResource] = all(stage, "AWS::ApiGatewayV2::Stage");
    const dependencies = new Set(stageResource?.DependsOn);
    const keys = resourcesOf(templates[stage], "AWS::ApiGatewayV2::Route")
      .filter(([name]) => dependencies.has(name))
      .map(([, { Properties }]) => Properties.RouteKey);
    expect(keys).toEqual(expect.arrayContaining(Object.keys(stageResource?.Properties.RouteSettings)));
  });
});

describe.each(["dev", "prod", "configured"] as const)("the %s stack", (name) => {
  const template = stageTemplate(name);

  it("takes at most 80 % of what AWS allows", () => {
    const of = (type: string) => resourcesOf(template, type).map(([, { Properties }]) => Properties);
    const length = (value: unknown = "") => JSON.stringify(value).length;
    for (const [limit, ...used] of [
      [500, resourcesOf(template).length],
      [200, ...["Parameters", "Outputs"].map((part) => Object.keys(template.toJSON()[part] ?? {}).length)],
      [1_000_000, length(template.toJSON())],
      [300, of("AWS::ApiGatewayV2::Route").length],
      [4_096, ...of("AWS::Lambda::Function").map(({ Environment }) => length(Environment))],
      [10_240, ...of("AWS::IAM::Policy").map(({ PolicyDocument }) => length(PolicyDocument))],
    ] as const)
      expect(Math.max(...used), `of ${limit}`).toBeLessThan(0.8 * limit);
  });

  it("has no resources that wait for each other", () => {
    const left = new Map(resourcesOf(template));
    // In properties, policies of updates and DependsOn.
    const othersIn = (id: string, resource: Resource) =>
      (JSON.stringify(resource).match(/(?<=")\w+(?=")/g) ?? []).filter((other) => other !== id);
    for (let before = 0; before !== left.size; ) {
      before = left.size;
      for (const [id, resource] of left)
        if (!othersIn(id, resource).some((other) => left.has(other))) left.delete(id);
    }
    expect([...left.keys()]).toEqual([]);
  });
});

it("a deployment with its own domain has an output that says what the DNS record must be, without a zone", () => {
  const stack = new Stack();
  const { domain: name, certificateArn } = configuredStage;
  domainMapping(stack, { name, certificateArn });
  const template = Template.fromStack(stack);
  expect(template.findResources("AWS::Route53::RecordSet")).toEqual({});
  template.hasResourceProperties("AWS::ApiGatewayV2::DomainName", {
    DomainNameConfigurations: [{ SecurityPolicy: "TLS_1_2" }],
  });
  expect(template.toJSON().Outputs.DomainTarget.Value).toEqual({
    "Fn::GetAtt": [expect.stringMatching(/^Domain/), "RegionalDomainName"],
  });
});

it("tables that the stage uses leave its own as they are, and have their places in every grant, function, alarm and graph", async () => {
  const restoredName = (table: string) => `${SERVICE_NAME}-prod-${table}-restored`;
  const restored = await templateOf({
    stage: "prod",
    origins: configuredStage.origins,
    alarmEmail: "none",
    access: "specified",
    tables: tableNames.map((table) => `${table}:${restoredName(table)}`).join(","),
    streams: tableNames.map((table) => `${table}:2026-11-26T09:30:00.123`).join(","),
  });
  const own = resourcesOf(restored, "AWS::DynamoDB::Table");
  const keys = (found: [string, Resource][]) => found.map(([name, table]) => [name, keysOf(table)]);
  expect(keys(own)).toEqual(keys(resourcesOf(templates.prod, "AWS::DynamoDB::Table")));

  const others = resourcesOf(restored).filter(([, { Type }]) => Type !== "AWS::DynamoDB::Table");
  expect(own.filter(([name]) => JSON.stringify(others).includes(name))).toEqual([]);
  const usedBy = (text: string) =>
    new Set(others.filter((each) => JSON.stringify(each).includes(text)).map(([, { Type }]) => Type));
  for (const table of tableNames) {
    const users = usedBy(restoredName(table));
    // Of jobs.
    users.delete("AWS::Lambda::EventSourceMapping");
    const usual = ["CloudWatch::Alarm", "CloudWatch::Dashboard", "IAM::Policy", "Lambda::Function"];
    expect([...users].sort()).toEqual(usual.map((type) => `AWS::${type}`));
    for (const index of Object.keys(tables[table]?.indexes ?? {}))
      expect(usedBy(`${restoredName(table)}/index/${index}`)).toEqual(new Set(["AWS::IAM::Policy"]));
  }
});

it("an exceeded budget takes every permission of the service's functions, but not of those that try versions and visit", () => {
  const configured = stageTemplate("configured");
  const [[, action] = []] = resourcesOf(configured, "AWS::Budgets::BudgetsAction");
  const { PolicyArn: policy, Roles: roles } = action?.Properties.Definition.IamActionDefinition ?? {};
  const functions = resourcesOf(configured, "AWS::Lambda::Function").map(([, { Properties }]) => Properties);
  const inline = JSON.stringify(functions.filter(({ Code }) => Code.ZipFile).map(({ Role }) => Role));
  const expected = resourcesOf(configured, "AWS::IAM::Role")
    .filter(([id, { Metadata }]) => Metadata?.[OF_AREA] === undefined && !inline.includes(`"${id}"`))
    .filter(([, { Properties }]) => JSON.stringify(Properties).includes("lambda.amazonaws.com"));

  expect(JSON.stringify(policy)).toContain(":iam::aws:policy/AWSDenyAll");
  expect(roles.map(({ Ref }: { Ref: string }) => Ref).sort()).toEqual(expected.map(([id]) => id).sort());
});

it("the function of the login handles no registrations, so that these do not keep logins waiting", () => {
  const routes = all("prod", "AWS::ApiGatewayV2::Route").map(({ Properties }) => Properties);
  const target = JSON.stringify(routes.find(({ RouteKey }) => RouteKey === "POST /auth/login").Target);
  const keys = routes.flatMap((each) => (JSON.stringify(each.Target) === target ? [each.RouteKey] : []));
  expect(keys.sort()).toEqual(["POST /auth/login", "POST /users/me/deletion", "PUT /users/me/password"]);
});
