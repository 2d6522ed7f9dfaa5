import { describe, expect, it } from "vitest";
import { tablesWithIds } from "../../../functions/definitions.ts";
import { pascalCase, tableConstructId } from "../../../lib/construct-ids.ts";
import type { TemplateResource } from "../../../local/stack/resources.ts";
import { readTemplate } from "../../../local/stack/template.ts";
import { stageTemplate } from "../../support/infra/templates.ts";

const resources: Readonly<Record<string, TemplateResource>> = stageTemplate("dev").toJSON().Resources;

function read(changes: Record<string, TemplateResource> = {}) {
  const template = { Resources: { ...resources, ...changes } };
  return readTemplate({ stackName: "stack", template, directory: "/assembly" });
}

function idOf(type: string, start = ""): string {
  return Object.entries(resources).find(([id, { Type }]) => Type === type && id.startsWith(start))?.[0] ?? "";
}

function changed(id: string, properties: Record<string, unknown>): Record<string, TemplateResource> {
  const { Type = "", Properties } = resources[id] ?? {};
  return { [id]: { Type, Properties: { ...Properties, ...properties } } };
}

const [area = ""] = tablesWithIds;
const label = `${pascalCase(area)}Function`;
const lambda = idOf("AWS::Lambda::Function", label);
const table = idOf("AWS::DynamoDB::Table", tableConstructId(area));

describe("a template", () => {
  it("leaves out what an area added, and names it", () => {
    const Queue = { Type: "AWS::SQS::Queue", Metadata: { area: "todos" } };
    const Properties = { Environment: { Variables: { QUEUE: { Ref: "WorkQueue0123ABCD" } } } };
    const Own = { ...resources[lambda], Type: "AWS::Lambda::Function", Metadata: { area: "todos" } };
    const model = read({ WorkQueue0123ABCD: Queue, Own, ...changed(lambda, Properties) });
    const named = ["WorkQueue (AWS::SQS::Queue)", "Own (AWS::Lambda::Function)"];
    expect(model.leftOut).toEqual(expect.arrayContaining(named));
    const { environment } = model.functions.find(({ logicalId }) => logicalId === lambda) ?? {};
    expect(environment?.QUEUE).toContain("Queue");
  });

  it("declares secrets with the length of generated values", () => {
    expect(read().secrets).toContainEqual({
      label: "ApiKeys",
      arn: `arn:aws:secretsmanager:us-east-1:000000000000:secret:${idOf("AWS::SecretsManager::Secret", "ApiKeys")}`,
      generatedLength: 48,
    });
  });
});

describe("an error names the logical id of", () => {
  const [api, policy, role] = ["ApiGatewayV2::Api", "IAM::Policy", "IAM::Role"].map((type) =>
    idOf(`AWS::${type}`),
  );
  const integration = idOf("AWS::ApiGatewayV2::Integration");
  const statement = (extra: object) =>
    changed(policy ?? "", {
      PolicyDocument: { Statement: [{ Effect: "Allow", Action: "*", Resource: "*", ...extra }] },
    });
  const variable = (A: object) => changed(lambda, { Environment: { Variables: { A } } });
  const administrator = "arn:aws:iam::aws:policy/AdministratorAccess";

  it.each<[message: string, changes: Record<string, TemplateResource>]>([
    [`${table}: .*ImportValue`, changed(table, { KeySchema: { "Fn::ImportValue": "x" } })],
    [`${lambda}: .*Ref Missing`, variable({ Ref: "Missing" })],
    [`${lambda}: .*${api}\\.X`, variable({ "Fn::GetAtt": [api, "X"] })],
    [".*: .*route without a function", changed(integration, { IntegrationUri: "https://a.example" })],
    [".*: .*payload format 2\\.0", changed(integration, { PayloadFormatVersion: "1.0" })],
    ["Keys: .*secret", { Keys: { Type: "AWS::SecretsManager::Secret", Properties: {} } }],
    [`${api}: .*CORS`, changed(api ?? "", { CorsConfiguration: undefined })],
    [`${policy}: .*Bool of aws:x`, statement({ Condition: { Bool: { "aws:x": "true" } } })],
    [`${policy}: .*NotAction`, statement({ NotAction: "*" })],
    [`${role}: .*Policies`, changed(role ?? "", { Policies: [] })],
    [`${role}: .*AdministratorAccess`, changed(role ?? "", { ManagedPolicyArns: [administrator] })],
    ["The stack must have one HTTP API", { Other: { Type: "AWS::ApiGatewayV2::Api" } }],
  ])("%s", (message, changes) => {
    expect(() => read(changes)).toThrow(new RegExp(`^${message}`));
  });
});
