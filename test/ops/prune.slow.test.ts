import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CredentialStore } from "../../local/aws/credentials.ts";
import { type AwsEndpoint, startAwsEndpoint } from "../../local/aws/endpoint.ts";
import { createOperator } from "../../local/aws/operator.ts";
import { createSecretStore } from "../../local/aws/secret-values.ts";
import { createSecretsManager } from "../../local/aws/secrets-manager.ts";
import { lockDirectory } from "../../local/database/lock.ts";
import { writeRunFile } from "../../local/run-file.ts";
import { operatorHere } from "../support/programs/operator.ts";

const arn = "arn:aws:secretsmanager:us-east-1:000000000000:secret:SigningSecrets";
const declared = [{ label: "SigningSecrets", arn }];

const [one, two, three] = ["one", "two", "three"].map((name) => name.padEnd(32, "-"));

/** A local run's AWS services and run file, with secrets that were changed some time ago. */
async function startServices(value: string, minutesAgo: number) {
  const directory = mkdtempSync(join(tmpdir(), "prune-test-"));
  const store = createSecretStore({ SigningSecrets: value }, undefined);
  store.declare(declared);
  const changedAt = new Date(Date.now() - minutesAgo * 60_000);
  const credentials = new CredentialStore();
  const secretsManager = createSecretsManager(
    () => declared,
    store,
    () => changedAt,
  );
  const endpoint = await startAwsEndpoint([secretsManager], credentials, () => undefined);
  const lock = lockDirectory(directory);
  const stackName = "resource-api-dev";
  writeRunFile(directory, {
    endpoint: endpoint.url,
    region: "us-east-1",
    accessKeyId: credentials.issue(createOperator(stackName)).accessKeyId,
    secretAccessKey: "local",
    tables: {},
    secrets: { SigningSecrets: arn },
  });
  return { directory, store, endpoint, lock };
}

describe("npm run rotate -- --prune", () => {
  let services: Awaited<ReturnType<typeof startServices>> | undefined;
  let endpoint: AwsEndpoint | undefined;
  beforeEach(() => {
    services = undefined;
    endpoint = undefined;
  });
  afterEach(async () => {
    services?.lock.release();
    await services?.endpoint.close();
    await endpoint?.close();
    if (services) rmSync(services.directory, { recursive: true });
  });

  it.each([
    [`${one},${two},${three}`, 41, "Removed 2; the one that signs remains.\n", one],
    [
      `${one},${two}`,
      39,
      /^Nothing removed: valid tokens may need the previous secrets until /,
      `${one},${two}`,
    ],
    [one, 41, "Nothing to remove: there is only one secret.\n", one],
    [`${one},weak`, 41, "Removed 1; the one that signs remains.\n", one],
  ])("with %s, changed %i minutes ago", async (value = "", minutesAgo, output, remaining) => {
    services = await startServices(value, minutesAgo);

    expect(await operatorHere(services.directory)("rotate", ["--prune"])).toMatchObject({
      code: 0,
      output: typeof output === "string" ? output : expect.stringMatching(output),
    });
    expect(services.store.values().SigningSecrets).toBe(remaining);
  });

  it("keeps the previous secrets if the one that signs can be guessed", async () => {
    services = await startServices(`${"x".repeat(31)},${two}`, 41);

    expect(await operatorHere(services.directory)("rotate", ["--prune"])).toMatchObject({
      code: 1,
      output: "",
      errors: expect.stringContaining(
        "The secret that signs has fewer than 32 bytes and can be guessed: run npm run rotate. Nothing was changed.\n",
      ),
    });
    expect(services.store.values().SigningSecrets).toMatch(/^x{31},/);
  });

  it("removes nothing in a dry run", async () => {
    services = await startServices(`${one},${two}`, 41);

    expect(await operatorHere(services.directory)("rotate", ["--prune", "--dry-run"])).toMatchObject({
      code: 0,
      output: "Would have removed 1; the one that signs remains.\n",
    });
    expect(services.store.values().SigningSecrets).toBe(`${one},${two}`);
  });

  it("reports a missing resource of the stack", async () => {
    services = await startServices(`${one},${two}`, 41);

    expect(await operatorHere(services.directory)("seed")).toEqual({
      code: 1,
      output: "",
      errors: expect.stringMatching(
        /^There is no ProductsTable in the local database at .+: deploy this version first\.\n$/,
      ),
    });
  });
});
