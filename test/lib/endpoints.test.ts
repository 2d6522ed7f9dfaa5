import { json } from "node:stream/consumers";
import { GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { secret } from "../../lib/auth/secrets.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { assertReadable } from "../../lib/repositories/readiness.ts";
import { lockDirectory } from "../../local/database/lock.ts";
import { withTables } from "../../local/database/seed.ts";
import { startLoopback } from "../../local/loopback.ts";
import { writeRunFile } from "../../local/run-file.ts";
import type { StackModel } from "../../local/stack/model.ts";
import { openStage } from "../../ops/stage.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const arn = "arn:aws:secretsmanager:eu-west-1:000000000000:secret:ApiKeys";

/** An AWS that responds to every call with a secret, and records the requests. */
async function startAws() {
  const asked: string[] = [];
  const server = await startLoopback(async (request, response) => {
    const { SecretId = "" } = (await json(request)) as { SecretId?: string };
    asked.push(`${request.headers["x-amz-target"]} ${SecretId}`);
    response.writeHead(200, { "content-type": "application/x-amz-json-1.0" }).end('{"SecretString":"a,b"}');
  });
  return { ...server, asked };
}

describe("AWS's endpoints", () => {
  let aws: Awaited<ReturnType<typeof startAws>>[];
  beforeEach(async () => {
    aws = [await startAws(), await startAws()];
    vi.stubEnv("AWS_REGION", "eu-west-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
    vi.stubEnv("API_KEYS_ARN", arn);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await Promise.all(aws.map(({ close }) => close()));
  });

  it.each([
    ["DYNAMODB", () => assertReadable(documentClient(), "accounts"), "DynamoDB_20120810.GetItem "],
    ["SECRETS_MANAGER", () => secret("API_KEYS")(), `secretsmanager.GetSecretValue ${arn}`],
  ])("are what AWS_ENDPOINT_URL says, and AWS_ENDPOINT_URL_%s before it", async (service, call, expected) => {
    const [all, own] = aws;
    vi.stubEnv("AWS_ENDPOINT_URL", all?.url);
    await call();
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, own?.url);
    expect([all?.asked, own?.asked]).toEqual([[expected], []]);
    await call();
    expect([all?.asked, own?.asked]).toEqual([[expected], [expected]]);
  });

  it("give a secret by the ARN in the environment, which is required", async () => {
    vi.stubEnv("AWS_ENDPOINT_URL", aws[0]?.url);
    expect(await secret("API_KEYS")()).toEqual(["a", "b"]);
    expect(() => secret("SIGNING_SECRETS")).toThrow("SIGNING_SECRETS_ARN");
  });

  it("of the local run are used where the environment asks for FIPS and dual stack", async () => {
    vi.stubEnv("AWS_USE_FIPS_ENDPOINT", "true");
    vi.stubEnv("AWS_USE_DUALSTACK_ENDPOINT", "true");
    const [{ url: endpoint, asked } = { url: "", asked: [] }] = aws;
    await withTables({ endpoint }, [], (client) => assertReadable(client, "accounts"));
    const directory = temporaryDirectory(onTestFinished);
    const { release } = lockDirectory(directory);
    onTestFinished(release);
    writeRunFile(directory, { tables: [], secrets: [], jobs: [] } as unknown as StackModel, endpoint, "test");
    const stage = await openStage("local", directory);
    await assertReadable(stage.dynamodb, "accounts");
    await stage.secretsManager.send(new GetSecretValueCommand({ SecretId: "ApiKeys" }));
    expect(asked).toHaveLength(3);
  });
});
