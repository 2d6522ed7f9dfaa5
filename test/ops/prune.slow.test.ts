import { describe, expect, it, onTestFinished } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { runHere } from "../support/programs/operator.ts";

const [one, two, three] = ["one", "two", "three"].map((name) => name.padEnd(32, "-"));
const both = `${one},${two}`;

let secret = "";

async function prune(value: string, minutesAgo: number) {
  secret = value;
  let next = "";
  const resource = ["AWS::SecretsManager::Secret", "SigningSecrets0A1B2C3D", "arn"] as const;
  const answer = (operation: string, { SecretString }: { readonly SecretString: string }) => {
    if (operation === "PutSecretValue") next = SecretString;
    if (operation === "UpdateSecretVersionStage") secret = next;
    const CreatedDate = Date.now() / 1_000 - 60 * minutesAgo;
    return { ARN: "arn", SecretString: secret, CreatedDate, VersionId: secret };
  };
  const aws = await startCloudFormation(`${SERVICE_NAME}-dev`, [[resource]], {}, { answer });
  onTestFinished(aws.close);
  return runHere("rotate", ["--stage", "dev", "--prune"], { environment: aws.environment });
}

describe("npm run rotate -- --prune", () => {
  it.each([
    [`${one},${two},${three}`, 41, /^Removed 2; the one that signs remains\.\n$/, one],
    [both, 39, /^Nothing removed: valid tokens may need the previous secrets until /, both],
    [one, 41, /^Nothing to remove: there is only one secret\.\n$/, one],
    [`${one},weak`, 41, /^Removed 1; the one that signs remains\.\n$/, one],
  ])("with %s, changed %i minutes ago", async (value = "", minutesAgo, expected, remaining) => {
    const { code, output } = await prune(value, minutesAgo);
    expect([code, secret]).toEqual([0, remaining]);
    expect(output).toMatch(expected);
  });

  it("keeps the previous secrets if the one that signs can be guessed", async () => {
    const { code, output, errors } = await prune(`${"x".repeat(31)},${two}`, 41);
    expect([code, output]).toEqual([1, ""]);
    expect(errors).toContain(
      "The secret that signs has fewer than 32 bytes and can be guessed: run npm run rotate. Nothing was changed.\n",
    );
    expect(secret).toMatch(/^x{31},/);
  });
});
