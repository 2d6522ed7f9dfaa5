import { describe, expect, it } from "vitest";
import type { TemplateResource } from "../../../local/stack/resources.ts";
import { readTemplate } from "../../../local/stack/template.ts";

const arnOf = (logicalId: string) => ({ "Fn::GetAtt": [logicalId, "Arn"] });

const cors = { AllowOrigins: ["*"], AllowMethods: ["GET"], AllowHeaders: ["content-type"], MaxAge: 60 };

const resources: Record<string, TemplateResource> = {
  NotesAB12CD34: {
    Type: "AWS::DynamoDB::Table",
    Properties: {
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      BillingMode: "PAY_PER_REQUEST",
      TimeToLiveSpecification: { AttributeName: "expires", Enabled: true },
      DeletionProtectionEnabled: true,
    },
  },
  Role: {
    Type: "AWS::IAM::Role",
    Properties: {
      ManagedPolicyArns: [
        {
          "Fn::Join": [
            "",
            ["arn:", { Ref: "AWS::Partition" }, ":iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"],
          ],
        },
      ],
    },
  },
  Policy: {
    Type: "AWS::IAM::Policy",
    Properties: {
      Roles: [{ Ref: "Role" }],
      PolicyDocument: {
        Statement: [
          { Effect: "Deny", Action: "dynamodb:Scan", Resource: "*" },
          {
            Effect: "Allow",
            Action: ["dynamodb:GetItem"],
            Resource: [arnOf("NotesAB12CD34"), { "Fn::Join": ["", [arnOf("NotesAB12CD34"), "/index/*"]] }],
          },
        ],
      },
    },
  },
  Logs: { Type: "AWS::Logs::LogGroup" },
  Handler11AA22BB: {
    Type: "AWS::Lambda::Function",
    Properties: {
      Runtime: "nodejs24.x",
      Handler: "index.handler",
      Role: arnOf("Role"),
      Code: { S3Bucket: { "Fn::Sub": `assets-\${AWS::AccountId}` }, S3Key: "hash.zip" },
      Environment: {
        Variables: {
          TABLE: { Ref: "NotesAB12CD34" },
          ROLE: { "Fn::GetAtt": "Role.Arn" },
          TEXT: { "Fn::Sub": `\${AWS::Region} \${NotesAB12CD34.Arn}` },
        },
      },
      Timeout: 7,
      MemorySize: 256,
      LoggingConfig: { LogGroup: { Ref: "Logs" } },
    },
  },
  Api: {
    Type: "AWS::ApiGatewayV2::Api",
    Properties: { CorsConfiguration: cors },
  },
  Integration: {
    Type: "AWS::ApiGatewayV2::Integration",
    Properties: {
      IntegrationType: "AWS_PROXY",
      PayloadFormatVersion: "2.0",
      IntegrationUri: arnOf("Handler11AA22BB"),
    },
  },
  Route: {
    Type: "AWS::ApiGatewayV2::Route",
    Properties: {
      RouteKey: "GET /notes/{id}",
      Target: { "Fn::Join": ["", ["integrations/", { Ref: "Integration" }]] },
    },
  },
  Alarm: { Type: "AWS::CloudWatch::Alarm", Properties: { AlarmName: { "Fn::ImportValue": "unused" } } },
};

function read(changes: Record<string, TemplateResource> = {}) {
  return readTemplate({
    stackName: "stack",
    template: { Resources: { ...resources, ...changes } },
    directory: "/assembly",
  });
}

/** A resource with some properties replaced. */
function changed(logicalId: string, properties: Record<string, unknown>): Record<string, TemplateResource> {
  const resource = resources[logicalId];
  if (resource === undefined) throw new Error(logicalId);
  return { [logicalId]: { ...resource, Properties: { ...resource.Properties, ...properties } } };
}

describe("a template", () => {
  it("leaves out functions that no route invokes, and resources that do not run locally", () => {
    const { Handler11AA22BB: scheduled } = changed("Handler11AA22BB", {});
    const rule = { Type: "AWS::Events::Rule", Properties: { Targets: [{ Arn: { Unknown: "Scheduled" } }] } };
    const changes = { ...(scheduled && { Scheduled33CC44DD: scheduled }), Rule: rule };
    expect(read(changes).functions.map(({ label }) => label)).toEqual(["Handler"]);
  });

  it("declares functions with their code, settings and permissions", () => {
    const table = "arn:aws:dynamodb:us-east-1:000000000000:table/stack-NotesAB12CD34";
    expect(read().functions).toEqual([
      {
        logicalId: "Handler11AA22BB",
        label: "Handler",
        name: "stack-Handler11AA22BB",
        arn: "arn:aws:lambda:us-east-1:000000000000:function:stack-Handler11AA22BB",
        runtime: "nodejs24.x",
        handler: "index.handler",
        codeDirectory: "/assembly/asset.hash",
        environment: {
          TABLE: "stack-NotesAB12CD34",
          ROLE: "arn:aws:iam::000000000000:role/stack-Role",
          TEXT: `us-east-1 ${table}`,
        },
        timeoutSeconds: 7,
        memoryMegabytes: 256,
        logGroupName: "stack-Logs",
        roleName: "stack-Role",
        statements: [
          { effect: "Deny", actions: ["dynamodb:Scan"], resources: ["*"] },
          { effect: "Allow", actions: ["dynamodb:GetItem"], resources: [table, `${table}/index/*`] },
        ],
      },
    ]);
  });

  it("declares secrets with the length of generated values", () => {
    const Properties = { GenerateSecretString: { PasswordLength: 48 } };
    expect(read({ Keys0A1B2C3D: { Type: "AWS::SecretsManager::Secret", Properties } }).secrets).toEqual([
      {
        label: "Keys",
        arn: "arn:aws:secretsmanager:us-east-1:000000000000:secret:Keys0A1B2C3D",
        generatedLength: 48,
      },
    ]);
  });
});

describe("an error names the logical id of", () => {
  const statement = (extra: object) =>
    changed("Policy", {
      PolicyDocument: { Statement: [{ Effect: "Allow", Action: "*", Resource: "*", ...extra }] },
    });
  const lambda = (properties: object) => changed("Handler11AA22BB", { ...properties });
  const variable = (A: object) => lambda({ Environment: { Variables: { A } } });
  const table = { TableName: { "Fn::ImportValue": "x" } };
  const administrator = "arn:aws:iam::aws:policy/AdministratorAccess";

  it.each([
    ["an unknown intrinsic", changed("NotesAB12CD34", table), /^NotesAB12CD34: .*ImportValue/],
    ["an unknown reference", variable({ Ref: "Missing" }), /^Handler11AA22BB: .*Ref Missing/],
    ["an unknown attribute", variable({ "Fn::GetAtt": ["Api", "X"] }), /^Handler11AA22BB: .*Api\.X/],
    [
      "a route without a function",
      changed("Integration", { IntegrationUri: "https://example.com" }),
      /^Route: .*route without a function/,
    ],
    [
      "another payload format",
      changed("Integration", { PayloadFormatVersion: "1.0" }),
      /^Route: .*payload format 2\.0/,
    ],
    [
      "a secret without a generated value",
      { Keys: { Type: "AWS::SecretsManager::Secret", Properties: {} } },
      /^Keys: .*secret/,
    ],
    ["an API without CORS", changed("Api", { CorsConfiguration: undefined }), /^Api: .*CORS/],
    [
      "an unknown condition",
      statement({ Condition: { Bool: { "aws:x": "true" } } }),
      /^Policy: .*Bool of aws:x/,
    ],
    ["NotAction in a policy", statement({ NotAction: "*" }), /^Policy: .*NotAction/],
    ["inline policies", changed("Role", { Policies: [] }), /^Role: .*Policies/],
    [
      "a managed policy",
      changed("Role", { ManagedPolicyArns: [administrator] }),
      /^Role: .*AdministratorAccess/,
    ],
    ["a second API", { Other: { Type: "AWS::ApiGatewayV2::Api" } }, /must have one HTTP API/],
  ])("%s", (_, changes, message) => {
    expect(() => read(changes)).toThrow(message);
  });
});
