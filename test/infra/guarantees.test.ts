import { describe, expect, it } from "vitest";
import { type Resource, resourcesOf, templateOf } from "../support/templates.ts";

const templates = {
  dev: templateOf({ stage: "dev" }),
  prod: templateOf({ stage: "prod", origins: "https://www.example.com" }),
};
const stages = ["dev", "prod"] as const;

function all(stage: (typeof stages)[number], type?: string): Resource[] {
  return resourcesOf(templates[stage], type).map(([, resource]) => resource);
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource?: unknown;
  readonly Principal?: unknown;
  readonly Condition?: unknown;
}

/** Every statement of every policy, of roles and of resources. */
function statements(stage: (typeof stages)[number]): Statement[] {
  return all(stage).flatMap(({ Properties: { PolicyDocument, AssumeRolePolicyDocument } = {} }) =>
    [PolicyDocument, AssumeRolePolicyDocument].flatMap((policy) => policy?.Statement ?? []),
  );
}

const id = ["pk S HASH", "sk N RANGE"];
/** Another logical id or another key is another table: CloudFormation would leave the data behind. */
const tables = {
  AccountsTable81C15AE5: { keys: ["pk S HASH", "sk S RANGE"], indexes: {} },
  ItemsTable5AAC2C46: { keys: id, indexes: { names: ["pk S HASH", "listed N RANGE"] } },
  OrdersTable315BB997: {
    keys: id,
    indexes: { "by-status": ["status S HASH", "sk N RANGE"], "by-user": ["user_id N HASH", "sk N RANGE"] },
  },
  PostsTableC82B36F0: { keys: id, indexes: { "by-author": ["author_id N HASH", "sk N RANGE"] } },
  ProductsTable241ADBFF: { keys: id, indexes: {} },
  TodosTable250330D8: { keys: id, indexes: {} },
  UsersTable9725E9C8: { keys: id, indexes: {} },
};

function keysOf({ Properties }: Resource) {
  const types = new Map(
    Properties.AttributeDefinitions.map(({ AttributeName: name, AttributeType: type }: never) => [
      name,
      type,
    ]),
  );
  const keys = (schema: { AttributeName: string; KeyType: string }[]) =>
    schema.map(({ AttributeName: name, KeyType: kind }) => `${name} ${types.get(name)} ${kind}`);
  const indexes = [
    ...(Properties.GlobalSecondaryIndexes ?? []),
    ...(Properties.LocalSecondaryIndexes ?? []),
  ].map(({ IndexName: name, KeySchema: schema }) => [name, keys(schema)]);
  return { keys: keys(Properties.KeySchema), indexes: Object.fromEntries(indexes) };
}

describe.each(stages)("the %s stack's data", (stage) => {
  it("lies in these tables, under these keys", () => {
    const found = resourcesOf(templates[stage], "AWS::DynamoDB::Table");

    expect(Object.fromEntries(found.map(([name, table]) => [name, keysOf(table)]))).toEqual(tables);
  });

  it("is billed by request and encrypted with DynamoDB's own key", () => {
    for (const { Properties } of all(stage, "AWS::DynamoDB::Table")) {
      expect(Properties.BillingMode).toBe("PAY_PER_REQUEST");
      // What is not asked for is the default, with which every table is encrypted.
      expect(Properties.SSESpecification).toEqual({ SSEEnabled: false });
    }
  });

  it("lets idempotency keys and failed logins expire, by the attribute that nothing else has", () => {
    for (const { Properties } of all(stage, "AWS::DynamoDB::Table")) {
      expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: "expires_at", Enabled: true });
    }
  });

  it("goes with the stack in dev, and stays in prod, as do secrets and logs", () => {
    const kept = ["AWS::DynamoDB::Table", "AWS::SecretsManager::Secret", "AWS::Logs::LogGroup"];
    const policy = stage === "prod" ? "Retain" : "Delete";

    for (const { DeletionPolicy, UpdateReplacePolicy } of kept.flatMap((type) => all(stage, type))) {
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual([policy, policy]);
    }
    for (const { Properties } of all(stage, "AWS::DynamoDB::Table")) {
      expect(Properties.DeletionProtectionEnabled).toBe(stage === "prod");
      expect(Properties.PointInTimeRecoverySpecification).toEqual({
        PointInTimeRecoveryEnabled: stage === "prod",
      });
    }
  });

  it("has secrets under the same ids, whose values the template does not have", () => {
    const secrets = resourcesOf(templates[stage], "AWS::SecretsManager::Secret");

    expect(secrets.map(([name]) => name).sort()).toEqual(["ApiKeys3BB3983D", "SigningSecrets6CB5CD0E"]);
    for (const [, { Properties }] of secrets) expect(Properties).not.toHaveProperty("SecretString");
  });
});

describe.each(stages)("the %s stack", (stage) => {
  it("consists of nothing but these kinds of resources", () => {
    const kinds = new Set(all(stage).map(({ Type }) => Type));

    expect([...kinds].sort()).toEqual([
      "AWS::ApiGatewayV2::Api",
      "AWS::ApiGatewayV2::Integration",
      "AWS::ApiGatewayV2::Route",
      "AWS::ApiGatewayV2::Stage",
      ...(stage === "prod" ? ["AWS::CloudWatch::Alarm"] : []),
      "AWS::CloudWatch::Dashboard",
      "AWS::DynamoDB::Table",
      "AWS::IAM::Policy",
      "AWS::IAM::Role",
      "AWS::Lambda::Function",
      "AWS::Lambda::Permission",
      "AWS::Logs::LogGroup",
      "AWS::Logs::MetricFilter",
      ...(stage === "prod" ? ["AWS::SNS::Topic", "AWS::SNS::TopicPolicy"] : []),
      "AWS::SecretsManager::Secret",
    ]);
  });

  it("is public at the gateway alone", () => {
    const open = statements(stage).filter(
      ({ Effect, Principal }) => Effect !== "Deny" && JSON.stringify(Principal ?? "").includes("*"),
    );

    expect(open).toEqual([]);
    for (const { Properties } of all(stage, "AWS::Lambda::Permission")) {
      expect(Properties.Principal).toBe("apigateway.amazonaws.com");
      expect(JSON.stringify(Properties.SourceArn)).toContain('{"Ref":"ApiF70053CD"}');
      expect(Properties).not.toHaveProperty("FunctionUrlAuthType");
    }
  });

  it("lets Lambda assume its functions' roles, and nobody else", () => {
    for (const { Properties } of all(stage, "AWS::IAM::Role")) {
      expect(Properties.AssumeRolePolicyDocument.Statement).toEqual([
        { Action: "sts:AssumeRole", Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" } },
      ]);
      expect(Properties).not.toHaveProperty("ManagedPolicyArns");
    }
  });

  it("names actions and resources, but for X-Ray's, which has none", () => {
    const wide = statements(stage)
      .filter(({ Effect }) => Effect === "Allow")
      .filter((statement) => JSON.stringify([statement.Action, statement.Resource ?? ""]).includes("*"));

    expect(wide).toHaveLength(all(stage, "AWS::Lambda::Function").length);
    for (const { Action, Resource } of wide) {
      expect(Action).toEqual(["xray:PutTelemetryRecords", "xray:PutTraceSegments"]);
      expect(Resource).toBe("*");
    }
  });

  it("traces every function and keeps every log for a while", () => {
    for (const { Properties } of all(stage, "AWS::Lambda::Function")) {
      expect(Properties.TracingConfig).toEqual({ Mode: "Active" });
      expect(Properties.LoggingConfig.LogGroup.Ref).toMatch(/Logs[0-9A-F]{8}$/);
    }
    const days = all(stage, "AWS::Logs::LogGroup").map(({ Properties }) => Properties.RetentionInDays);
    expect(new Set(days)).toEqual(new Set([stage === "prod" ? 365 : 7]));
  });

  it("gives CPU to what computes, and ends every function before the gateway gives up", () => {
    const sizes = resourcesOf(templates[stage], "AWS::Lambda::Function").map(([name, { Properties }]) => [
      name.replace(/Function.*$/, ""),
      [Properties.MemorySize, Properties.Timeout],
    ]);

    const ordinary = [1_024, 20];
    expect(Object.fromEntries(sizes)).toEqual({
      Accounts: [1_769, 20],
      Fallback: ordinary,
      Items: ordinary,
      ApiKey: ordinary,
      Orders: ordinary,
      Posts: [1_769, 29],
      Products: ordinary,
      Service: ordinary,
      Todos: ordinary,
      Users: ordinary,
    });
  });

  it("bounds all requests together, and those that hash passwords more narrowly", () => {
    const [stageResource] = all(stage, "AWS::ApiGatewayV2::Stage");
    const [total, burst] = stage === "prod" ? [1_000, 2_000] : [100, 200];
    expect(stageResource?.Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: total,
      ThrottlingBurstLimit: burst,
    });
    expect(stageResource?.Properties.RouteSettings).toEqual({
      "POST /auth/login": { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 50 },
      "POST /users": { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
      "POST /users/batch": { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 20 },
      "POST /{proxy+}": { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
    });

    // The stage cannot be made before the routes that its settings name.
    const awaited = new Set(stageResource?.DependsOn);
    const keys = resourcesOf(templates[stage], "AWS::ApiGatewayV2::Route")
      .filter(([name]) => awaited.has(name))
      .map(([, { Properties }]) => Properties.RouteKey);
    expect(keys).toEqual(expect.arrayContaining(Object.keys(stageResource?.Properties.RouteSettings)));
  });
});

describe("reserved concurrency", () => {
  const reserved = (lambdaConcurrency?: string) => {
    const template = templateOf({ stage: "dev", ...(lambdaConcurrency && { lambdaConcurrency }) });
    return resourcesOf(template, "AWS::Lambda::Function").flatMap(
      ([
        name,
        {
          Properties: { ReservedConcurrentExecutions: reserved },
        },
      ]) => (reserved === undefined ? [] : [[name.replace(/Function.*$/, ""), reserved]]),
    );
  };

  it("is none unless the account's quota is given, nor when that leaves too little for the rest", () => {
    expect(reserved()).toEqual([]);
    expect(reserved("10")).toEqual([]);
    expect(reserved("166")).toEqual([]);
  });

  it("is a tenth for accounts and three for posts", () => {
    expect(reserved("167")).toEqual([
      ["Accounts", 16],
      ["Posts", 50],
    ]);
    expect(reserved("1000")).toEqual([
      ["Accounts", 100],
      ["Posts", 300],
    ]);
  });
});
