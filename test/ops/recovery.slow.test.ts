import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { secretValues } from "../support/data/credentials.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { runWithOperator } from "../support/programs/operator.ts";
import { runProgram } from "../support/programs/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const stackName = `${SERVICE_NAME}-prod`;
const secret = (id: string) => ["AWS::SecretsManager::Secret", `${id}0A1B2C3D`, `arn:${id}`] as const;

it("npm run rotate -- --recreate undoes a deletion, or deploys the stage with another secret", async () => {
  const directory = temporaryDirectory(onTestFinished);
  writeFileSync(join(directory, "npm"), '#!/bin/sh\necho "$@" >> calls\n', { mode: 0o755 });
  const secrets = new Map<string, { readonly DeletedDate?: number }>([["arn:ApiKeys", { DeletedDate: 1 }]]);
  const created: object[] = [];
  const answer = (operation: string, input: { readonly SecretId: string; readonly Name: string }) => {
    if (operation === "CreateSecret") {
      created.push(input);
      secrets.set(input.Name, {});
    }
    if (operation === "RestoreSecret") secrets.set(input.SecretId, {});
    const id = input.SecretId ?? input.Name;
    const found = secrets.get(id);
    if (operation === "GetSecretValue" && found?.DeletedDate)
      throw Object.assign(new Error("to be deleted"), { name: "InvalidRequestException" });
    if (found === undefined)
      throw Object.assign(new Error("no secret"), { name: "ResourceNotFoundException" });
    return { ARN: `arn:new:${id}`, Name: id, ...found };
  };
  const pages = [[secret("ApiKeys"), secret("SigningSecrets")]];
  const aws = await startCloudFormation(stackName, pages, {}, { answer });
  onTestFinished(aws.close);
  const environment = { PATH: `${directory}:${process.env.PATH}`, ...aws.environment };
  const recreate = (...args: string[]) =>
    runProgram("ops/rotate.ts", ["--stage", "prod", "--recreate", ...args], { environment, directory });

  for (const [command, id, ...args] of [
    ["key", "ApiKeys", "list"],
    ["rotate", "SigningSecrets"],
  ]) {
    const { errors } = await runProgram(`ops/${command}.ts`, ["--stage", "prod", ...args], { environment });
    expect(errors).toMatch(
      `${id} of the stack ${stackName} is deleted: npm run rotate -- --recreate brings it back.`,
    );
  }
  const { code, output } = await recreate("--dry-run");
  expect([code, created]).toEqual([0, []]);
  expect(output).toMatch(
    /^Would undo the deletion of ApiKeys: .*\nWould create the secret SigningSecrets-\S+\. All previous tokens are invalid: .*\nsecrets=/,
  );
  const [, name = ""] = /Would create the secret (\S+)\./.exec(output) ?? [];
  // Repeated, it uses the secret that the first attempt has created.
  for (const _ of ["first", "again"]) expect(await recreate()).toMatchObject({ code: 0 });
  expect(created).toEqual([
    expect.objectContaining({
      Name: name,
      SecretString: expect.stringMatching(/^\w{48}$/),
      Tags: [
        { Key: "service", Value: SERVICE_NAME },
        { Key: "stage", Value: "prod" },
      ],
    }),
  ]);
  expect(secrets.get("arn:ApiKeys")).toEqual({});
  const deployed = `run deploy -- --stage prod --all-at-once --secrets SigningSecrets:arn:new:${name}`;
  expect(readFileSync(join(directory, "calls"), "utf8")).toBe(`${deployed}\n${deployed}\n`);
  expect(await recreate("--prune")).toMatchObject({ code: 2 });
});

it("npm run failover lets the stage's name lead to the stack of this region", async () => {
  const sent: string[] = [];
  const answer = (call: string, { body }: { readonly body: string }) => {
    if (call.startsWith("POST")) sent.push(body);
    const AliasTarget = { HostedZoneId: "Z0", DNSName: "old.example.net." };
    return call.startsWith("POST")
      ? { ChangeResourceRecordSetsResponse: { ChangeInfo: { Id: "1", Status: "PENDING" } } }
      : {
          ListResourceRecordSetsResponse: {
            ResourceRecordSets: { ResourceRecordSet: { Name: "api.example.com.", Type: "A", AliasTarget } },
          },
        };
  };
  const domain = ["AWS::ApiGatewayV2::DomainName", "Domain0A1B2C3D", "api.example.com"] as const;
  const outputs = { DomainTarget: "new.example.net", DomainTargetZone: "Z9" };
  const aws = await startCloudFormation(stackName, [[domain]], outputs, { answer });
  onTestFinished(aws.close);
  const failover = (...args: string[]) => {
    const { environment } = aws;
    return runProgram("ops/failover.ts", ["--stage", "prod", "--zone", "Z1", ...args], { environment });
  };
  const before = "api.example.com leads to old.example.net.\n";
  expect(await failover("--dry-run")).toEqual({
    ...{ code: 0, output: `${before}Would lead to new.example.net.\n`, errors: "" },
  });
  expect(sent).toEqual([]);
  expect(await failover()).toMatchObject({ output: `${before}Leads to new.example.net within minutes.\n` });
  for (const text of ["UPSERT", "<Name>api.example.com<", ">Z9<", "<DNSName>new.example.net<"])
    expect(sent).toEqual([expect.stringContaining(text)]);
});

it("a second region takes over: an export of the first, with copies of its secrets", async () => {
  const options = { withCatalog: false, secrets: secretValues };
  const [first, second] = await Promise.all([runWithOperator(options), runWithOperator(options)]);
  for (const { end } of [first, second]) onTestFinished(end);
  const send = async ({ run }: typeof first, path: string, body?: object, token?: string) => {
    const headers = { ...(token && { authorization: `Bearer ${token}` }) };
    const request = body && { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(run.url + path, { headers, ...request });
    return { status: response.status, body: (await response.json()) as { access_token?: string } };
  };
  const account = { username: "ada", email: "ada@example.com", password: "Analytical1" };
  const user = { name: "Ada", email: "ada@example.com", age: 36 };
  await send(first, "/users/", account);
  for (const _ of [1, 2]) await send(first, "/users", user);
  const { access_token: token } = (await send(first, "/auth/login", account)).body;

  const backup = join(first.directory, "backup");
  expect(await first.operateHere("export", [backup])).toMatchObject({ code: 0 });
  expect(await second.operateHere("import", [backup])).toMatchObject({ code: 0 });
  for (const path of ["/users", "/users/me"])
    expect(await send(second, path, undefined, token)).toEqual(await send(first, path, undefined, token));
  expect(await send(second, "/auth/login", account)).toMatchObject({ status: 200 });
  expect(await send(second, "/users", user)).toMatchObject({ body: { id: 3 } });
});
