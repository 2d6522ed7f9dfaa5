import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callDynamodb } from "../../../local/database/dynamodb-call.ts";
import { seed } from "../../../local/database/seed.ts";
import { createMissingTables } from "../../../local/database/tables.ts";
import { createSynthesizer, defaultApp } from "../../../local/stack/synthesize.ts";
import { readTemplate } from "../../../local/stack/template.ts";
import { credentials, secretValues } from "../data/credentials.ts";
import { startSecretStore } from "../data/secrets.ts";
import { functionsOf } from "../release.ts";

/**
 * Prepares what handlers need in a test process: the stack's tables with their seed, and secrets.
 * @param database the URL that the handlers use instead of the engine's, such as a proxy's
 */
export async function prepareInProcess(
  engine: string,
  { database = engine, withCatalog = true, app = defaultApp } = {},
) {
  const outdir = await mkdtemp(join(tmpdir(), "service-"));
  const synthesizer = createSynthesizer(app, { stage: "dev", outdir });
  const [stack, secretStore] = await Promise.all([synthesizer.synthesize(), startSecretStore(secretValues)]);
  await synthesizer.close();
  const { tables, functions } = readTemplate(stack);
  const { environment, routes } = functionsOf(stack);
  const system = functions.find((each) => each.environment.SERVICE_NAME === "system");
  const createTables = async () => {
    await createMissingTables({ endpoint: engine }, tables);
    await seed({ endpoint: engine }, tables, { adminPassword: secretValues.AdminPassword, withCatalog });
  };
  await createTables();

  return {
    tables,
    target: {
      kind: "in process" as const,
      ...credentials,
      environment: {
        ...environment,
        // Specs read and write more in a second than the tables of a dev stage serve.
        MAX_READ_UNITS: "",
        MAX_WRITE_UNITS: "",
        // Only the function `system` reads files beside its code.
        LAMBDA_TASK_ROOT: system?.codeDirectory ?? "",
        AWS_ENDPOINT_URL_DYNAMODB: database,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: secretStore.url,
      } as Record<string, string>,
      routes,
    },
    async reset(): Promise<void> {
      for (const { request } of tables)
        await callDynamodb({ endpoint: engine }, "DeleteTable", { TableName: request.TableName });
      await createTables();
    },
    async close(): Promise<void> {
      await secretStore.close();
      await rm(outdir, { recursive: true });
    },
  };
}
