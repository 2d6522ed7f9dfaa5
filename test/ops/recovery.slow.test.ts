import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { ApiClient, overHttp } from "../support/api/client.ts";
import { secretValues } from "../support/data/credentials.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { runWithOperator } from "../support/programs/operator.ts";
import { runProgram } from "../support/programs/program.ts";

const stackName = `${SERVICE_NAME}-prod`;
const arnOf = (id: string) => `arn:aws:secretsmanager:eu-west-1:111111111111:secret:${id}-1A2B3C`;
const secret = (id: string) => ["AWS::SecretsManager::Secret", `${id}0A1B2C3D`, arnOf(id)] as const;

interface Secret {
  readonly DeletedDate?: number;
  readonly VersionId?: string;
  readonly SecretString?: string | undefined;
}

const refusal = (name: string) => Object.assign(new Error("refused"), { name });

/** A Secrets Manager with the stack's secrets. One that was deleted for good has no tags, so that no grant includes it. */
async function startSecrets(stored: Readonly<Record<string, Secret>>) {
  const secrets = new Map(Object.entries(stored).map(([id, each]) => [arnOf(id), each]));
  let written: string | undefined;
  const answer = (operation: string, input: Readonly<Record<string, string>>) => {
    const ARN = input.SecretId ?? "";
    const found = secrets.get(ARN);
    if (found === undefined) throw refusal("ResourceNotFoundException");
    if (/^(Get|Put)SecretValue$/.test(operation) && found.DeletedDate)
      throw refusal("InvalidRequestException");
    if (operation === "PutSecretValue") written = input.SecretString;
    if (operation === "UpdateSecretVersionStage") secrets.set(ARN, { VersionId: "2", SecretString: written });
    const VersionId = operation === "PutSecretValue" ? "2" : "1";
    return { ARN, Name: ARN, VersionId, SecretString: "old", ...secrets.get(ARN) };
  };
  const tagsOf = (arn: string) => (secrets.has(arn) ? { service: SERVICE_NAME, stage: "prod" } : undefined);
  const pages = [[secret("ApiKeys"), secret("SigningSecrets")]];
  const policies = ["operator", "recovery"];
  const aws = await startCloudFormation(stackName, pages, {}, { answer, policies, tagsOf });
  onTestFinished(aws.close);
  return { secrets, environment: aws.environment };
}

it("a command says of a deleted secret which one it is, and where to read on", async () => {
  const { environment } = await startSecrets({ ApiKeys: { DeletedDate: 1 } });
  for (const [command, id, orDenied, ...args] of [
    ["key", "ApiKeys", "", "list"],
    // Without its tags, the operator's grants do not include it.
    ["rotate", "SigningSecrets", ", or you may not read it"],
  ] as const) {
    const { errors } = await runProgram(`ops/${command}.ts`, ["--stage", "prod", ...args], { environment });
    expect(errors).toBe(
      `The secret ${arnOf(id)} is deleted${orDenied}: see "A deleted secret" in docs/operations.md.\n`,
    );
  }
});

it("npm run rotate -- --revoke goes on after a deleted secret, and says that its leaked values come back", async () => {
  const { secrets, environment } = await startSecrets({ ApiKeys: { DeletedDate: 1 }, SigningSecrets: {} });
  const revoke = (...args: string[]) =>
    runProgram("ops/rotate.ts", ["--stage", "prod", "--revoke", ...args], { environment });
  const failed =
    "Not replaced. A deleted secret comes back with its leaked values: repeat --revoke then:\n" +
    `- ApiKeys: The secret ${arnOf("ApiKeys")} is deleted: see "A deleted secret" in docs/operations.md.\n`;
  const errors = `Replaced all SigningSecrets by one.\n${failed}`;
  expect(await revoke("--yes")).toEqual({ code: 1, output: "", errors });
  expect(secrets.get(arnOf("SigningSecrets"))?.SecretString).toMatch(/^\w{48}$/);

  secrets.set(arnOf("ApiKeys"), {});
  const { code, output } = await revoke("--yes");
  expect([code, output]).toEqual([0, `${secrets.get(arnOf("ApiKeys"))?.SecretString}\n`]);
});

it("a second region takes over: an export of the first, with copies of its secrets", async () => {
  const options = { withCatalog: false, secrets: secretValues };
  const [first, second] = await Promise.all([runWithOperator(options), runWithOperator(options)]);
  for (const { end } of [first, second]) onTestFinished(end);
  const [api, other] = [first, second].map(({ run }) => new ApiClient(overHttp(run.url)));
  const account = { username: "ada", email: "ada@example.com", password: "Analytical1" };
  await api?.post("/users/", account);
  const login = await api?.post("/auth/login", account);
  const headers = { authorization: `Bearer ${login?.body.access_token}` };

  const backup = join(first.directory, "backup");
  expect(await first.operateHere("export", [backup])).toMatchObject({ code: 0 });
  expect(await second.operateHere("import", [backup])).toMatchObject({ code: 0 });
  const known = { status: 200, body: { username: account.username } };
  for (const region of [api, other]) expect(await region?.get("/users/me", { headers })).toMatchObject(known);
  expect(await other?.post("/auth/login", account)).toMatchObject({ status: 200 });
});
