import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { CredentialStore } from "../../../local/aws/credentials.ts";
import { startAwsEndpoint } from "../../../local/aws/endpoint.ts";
import { createSecretStore, type SecretValues } from "../../../local/aws/secret-values.ts";
import { createSecretsManager } from "../../../local/aws/secrets-manager.ts";
import type { PolicyStatement } from "../../../local/stack/model.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const arn = (name: string) => `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}`;
const secretsOf = (...labels: string[]) =>
  labels.map((label) => ({ label, arn: arn(label), generatedLength: 48 }));
const secrets = secretsOf("ApiKeys", "SigningSecrets");

const actions = ["secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"];
const statements: PolicyStatement[] = [
  { effect: "Allow", actions, resources: [arn("ApiKeys"), arn("Missing")] },
];

const credentials = new CredentialStore();
const reader = { logicalId: "Reader", name: "reader", roleName: "reader-role", statements };
const { accessKeyId } = credentials.issue(reader);
const store = createSecretStore({ ApiKeys: "one,two", SigningSecrets: "zero" }, undefined);
store.declare(secrets);
const services = [createSecretsManager(() => secrets, store)];
const endpoint = await startAwsEndpoint(services, credentials, () => undefined);
afterAll(() => endpoint.close());

async function call(operation: string, SecretId: string, members: object = {}, key = accessKeyId) {
  const response = await fetch(endpoint.url, {
    method: "POST",
    headers: {
      "x-amz-target": `secretsmanager.${operation}`,
      authorization: `AWS4-HMAC-SHA256 Credential=${key}/20260101/us-east-1/secretsmanager/aws4_request`,
    },
    body: JSON.stringify({ SecretId, ...members }),
  });
  return [response.status, (await response.json()) as Record<string, unknown>] as const;
}

describe("a secret of the stack", () => {
  it.each([arn("ApiKeys"), "ApiKeys"])("is read as %s", async (id) => {
    expect(await call("GetSecretValue", id)).toEqual([
      200,
      expect.objectContaining({ ARN: arn("ApiKeys"), Name: "ApiKeys", SecretString: "one,two" }),
    ]);
  });

  it.each([
    ["GetSecretValue", "Missing", "ResourceNotFoundException"],
    ["GetSecretValue", "Other", "AccessDeniedException"],
    ["PutSecretValue", "ApiKeys", "AccessDeniedException"],
    ["DescribeSecret", "ApiKeys", "UnknownOperationException"],
  ])("%s of %s is refused with %s", async (operation, id, type) => {
    expect(await call(operation, id)).toEqual([
      400,
      expect.objectContaining({ __type: `com.amazon.coral.service#${type}` }),
    ]);
  });
});

describe("the values of secrets", () => {
  const directory = temporaryDirectory(afterAll);
  const declared = secretsOf("Generated", "Given");

  function valuesAfterStart(given: SecretValues, directory: string | undefined): SecretValues {
    const store = createSecretStore(given, directory);
    store.declare(declared);
    return store.values();
  }

  it("are given, or generated once and stored for the owner only", () => {
    const first = valuesAfterStart({ Given: "given" }, directory);
    expect(first).toEqual({ Generated: expect.stringMatching(/^[A-Za-z0-9]{48}$/), Given: "given" });
    expect(valuesAfterStart({ Given: "other" }, directory)).toEqual({ ...first, Given: "other" });
    const file = join(directory, "secrets.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).not.toContain("given");
  });

  it("that were changed are stored, and a given value replaces them at the next start", () => {
    const other = temporaryDirectory(onTestFinished);
    const store = createSecretStore({ Given: "given" }, other);
    store.declare(declared);
    const { Generated: generated = "" } = store.values();
    store.change("Given", "changed");
    store.change("Generated", `new,${generated}`);
    store.declare(declared);
    expect(store.values()).toEqual({ Given: "changed", Generated: `new,${generated}` });

    expect(valuesAfterStart({}, other)).toEqual({ Given: "changed", Generated: `new,${generated}` });
    expect(valuesAfterStart({ Given: "given" }, other)).toMatchObject({ Given: "given" });
    expect(statSync(join(other, "secrets.json")).mode & 0o777).toBe(0o600);
  });

  it("are generated for each in-memory run", () => {
    expect(valuesAfterStart({}, undefined).Generated).not.toBe(valuesAfterStart({}, undefined).Generated);
  });
});

it.each(["no JSON", "[]", '{"ApiKeys":1}'])("a damaged file of secrets is an error: %s", (text) => {
  const directory = temporaryDirectory(onTestFinished);
  const file = join(directory, "secrets.json");
  writeFileSync(file, text);
  expect(() => createSecretStore({}, directory)).toThrow(`${file} is damaged. Put a backup in its place`);
});
