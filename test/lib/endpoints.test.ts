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

/** An AWS that knows nothing, and remembers what was asked. */
async function startAws() {
  const asked: unknown[] = [];
  const server = await startLoopback((request, response) => {
    asked.push(request.resume().headers["x-amz-target"]);
    response.writeHead(200, { "content-type": "application/x-amz-json-1.0" }).end('{"SecretString":"a"}');
  });
  return { ...server, asked };
}

/** What the functions call AWS for. */
const services = {
  DYNAMODB: () => assertReadable(documentClient(), "accounts"),
  SECRETS_MANAGER: () => secret("API_KEYS")(),
};

describe("AWS's endpoints", () => {
  let aws: Awaited<ReturnType<typeof startAws>>[];
  beforeEach(async () => {
    aws = [await startAws(), await startAws()];
    vi.stubEnv("AWS_REGION", "eu-west-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
    vi.stubEnv("API_KEYS_ARN", "arn:aws:secretsmanager:eu-west-1:000000000000:secret:ApiKeys");
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await Promise.all(aws.map(({ close }) => close()));
  });

  it.each(["DYNAMODB", "SECRETS_MANAGER"] as const)(
    "are what AWS_ENDPOINT_URL says, and AWS_ENDPOINT_URL_%s before it",
    async (service) => {
      const [all, own] = aws;
      vi.stubEnv("AWS_ENDPOINT_URL", all?.url);
      await services[service]();
      vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, own?.url);
      expect([all?.asked.length, own?.asked.length]).toEqual([1, 0]);
      await services[service]();
      expect([all?.asked.length, own?.asked.length]).toEqual([1, 1]);
    },
  );

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
