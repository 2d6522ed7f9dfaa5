import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { openStage } from "../../ops/stage.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";

const secretArn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:SigningSecrets-AbCdEf";
const secret = "AWS::SecretsManager::Secret";
const table = "AWS::DynamoDB::Table";

// The first page has resources of similar names.
const pages = [
  [
    [secret, "SigningSecretsOther6CB5CD0E", "other"],
    ["AWS::Logs::LogGroup", "AccountsTable0A1B2C3D", "logs"],
  ],
  [
    [secret, "SigningSecrets6CB5CD0E", secretArn],
    [table, "AccountsTable12AB34CD", `${SERVICE_NAME}-dev-accounts`],
    [secret, "ApiKeys6CB5CD0E", "keys"],
  ],
] as const;
const outputs = { Url: "https://api.example.com", ApiKeysInUse: "restored-keys" };
const cloudFormation = await startCloudFormation(`${SERVICE_NAME}-dev`, pages, outputs);
beforeEach(() => {
  for (const [name, value] of Object.entries(cloudFormation.environment)) vi.stubEnv(name, value);
  return () => vi.unstubAllEnvs();
});
afterAll(cloudFormation.close);

describe("a deployed stage", () => {
  it("finds its tables and secrets on any page of the stack's resources", async () => {
    const stage = await openStage("dev", ".data");
    expect(stage.table("accounts")).toBe(`${SERVICE_NAME}-dev-accounts`);
    // One is restored, and used instead of its own.
    expect([stage.secret("ApiKeys"), stage.secret("SigningSecrets")]).toEqual(["restored-keys", secretArn]);
    expect(() => stage.table("items")).toThrow(
      `There is no ItemsTable in the stack ${SERVICE_NAME}-dev: deploy this version first.`,
    );
  });

  it("that does not exist is an error with what to check", async () => {
    await expect(openStage("prod", ".data")).rejects.toThrow(
      /^The stack \S+-prod does not exist in [\w-]+: deploy it, or check AWS_PROFILE and AWS_REGION\.$/,
    );
  });

  it("of another format is refused before anything is read", async () => {
    const other = await startCloudFormation("resource-api-dev", [], { DataFormat: "1" });
    vi.stubEnv("AWS_ENDPOINT_URL", other.environment.AWS_ENDPOINT_URL);
    const refusal = "The records of the stack resource-api-dev are in format 1, and this version reads 2";
    await expect(openStage("dev", ".data")).rejects.toThrow(refusal);
    await other.close();
  });
});
