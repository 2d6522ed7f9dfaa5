import { describe, expect, it } from "vitest";
import { secrets } from "../../infra/secrets.ts";
import { resolveStage } from "../../infra/stages.ts";
import { synthesizePart } from "../support/infra/part-of-stack.ts";
import { stageTemplate } from "../support/infra/templates.ts";

interface Resource {
  readonly Properties: {
    readonly PolicyDocument?: { readonly Statement: readonly Record<string, unknown>[] };
    readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
  };
}

describe("the secrets", () => {
  it.each([
    ["dev", {}, "Delete"],
    ["prod", { origins: "https://a.example" }, "RetainExceptOnCreate"],
  ])("are generated at the first deployment of %s, without commas", (name, settings, policy) => {
    const { template } = synthesizePart((part) => secrets(part, resolveStage(name, settings)));
    const secretResources = Object.values(template.findResources("AWS::SecretsManager::Secret"));

    expect(secretResources).toHaveLength(2);
    for (const secret of secretResources) {
      expect(secret).toMatchObject({
        DeletionPolicy: policy,
        Properties: { GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 48 } },
      });
      expect(secret.Properties).not.toHaveProperty("SecretString");
    }
  });
});

describe("the functions' access to secrets", () => {
  const template = stageTemplate("dev");
  const find = (type: string) => Object.entries(template.findResources(type)) as [string, Resource][];
  const only = <T>(found: readonly T[]): T => {
    expect(found).toHaveLength(1);
    return found[0] as T;
  };

  it("is limited to reading the secret whose ARN is in the environment", () => {
    const [secret] = only(
      find("AWS::SecretsManager::Secret").filter(([id]) => id.startsWith("SigningSecrets")),
    );
    const [, policy] = only(find("AWS::IAM::Policy").filter(([id]) => id.startsWith("AccountsRole")));
    const [, accounts] = only(find("AWS::Lambda::Function").filter(([id]) => id.startsWith("Accounts")));
    const statements = policy.Properties.PolicyDocument?.Statement ?? [];

    expect(accounts.Properties.Environment?.Variables).toMatchObject({
      SIGNING_SECRETS_ARN: { Ref: secret },
    });
    expect(statements.filter((statement) => JSON.stringify(statement).includes("secretsmanager"))).toEqual([
      { Effect: "Allow", Action: "secretsmanager:GetSecretValue", Resource: { Ref: secret } },
    ]);
  });

  it("is not granted to functions that need none", () => {
    const others = find("AWS::IAM::Policy").filter(([id]) => /^(Fallback|System)Role/.test(id));

    expect(others).toHaveLength(2);
    expect(JSON.stringify(others)).not.toContain("secretsmanager");
  });
});
