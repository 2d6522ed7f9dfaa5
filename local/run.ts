import { join } from "node:path";
import {
  type Gateway,
  type GatewayOptions,
  type ServedRequest,
  startGateway,
} from "./api-gateway/gateway.ts";
import type { SlashMode } from "./api-gateway/router.ts";
import { CredentialStore } from "./aws/credentials.ts";
import { createDynamodb } from "./aws/dynamodb.ts";
import { startAwsEndpoint } from "./aws/endpoint.ts";
import { createOperator } from "./aws/operator.ts";
import { createSecretStore, type SecretValues } from "./aws/secret-values.ts";
import { createSecretsManager } from "./aws/secrets-manager.ts";
import { type Directories, openDirectories } from "./database/data-directory.ts";
import { connectToEngine, type Engine, startEngine } from "./database/engine.ts";
import { findEngines } from "./database/engine-programs.ts";
import { createMissingTables } from "./database/tables.ts";
import { recoverFromUncleanShutdown } from "./database/unclean-shutdown.ts";
import { defaultPoolLimits, type PoolLimits } from "./lambda/function-pool.ts";
import { FunctionRegistry } from "./lambda/function-registry.ts";
import type { LogSink } from "./log.ts";
import { deleteRunFile, type RunFile, writeRunFile } from "./run-file.ts";
import { localRegion } from "./stack/arn.ts";
import { loadModule } from "./stack/code-error.ts";
import type { ApiModel, StackModel, TableModel } from "./stack/model.ts";
import { createSynthesizer, defaultApp } from "./stack/synthesize.ts";
import { readTemplate } from "./stack/template.ts";

export interface RunOptions {
  /** `dev` (the default) or `prod`. */
  readonly stage?: string;
  /** The stage's settings by name; by default the stage's own values. */
  readonly stageSettings?: Readonly<Record<string, string>>;
  /** By default loopback. */
  readonly host?: string;
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** The directory of the embedded engine's data; `memory` keeps it in memory. */
  readonly dataDirectory: string;
  /** The URL of an external DynamoDB, instead of the embedded engine. */
  readonly endpoint?: string;
  /** How the first gateway treats a trailing slash; `lenient` by default. */
  readonly slashes?: SlashMode;
  /** Environment variables for every function, in addition to the template's. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether to load the sample catalog into an empty database; true by default. */
  readonly withCatalog?: boolean;
  /** Values of secrets and `AdminPassword`; the others are generated and stored with the data. */
  readonly secrets?: SecretValues;
  readonly limits?: Partial<PoolLimits> & Pick<GatewayOptions, "integrationTimeoutMs">;
  /** Whether to prepare for fast reloads. */
  readonly canReload?: boolean;
  /** The module of the CDK app. */
  readonly app?: URL;
  /** Receives the output of the functions and of the local run's parts. */
  readonly log: LogSink;
  /** Receives the steps of the start, a line each. */
  readonly progress?: (text: string) => void;
  /** Called after each response. */
  readonly onResponse?: (served: ServedRequest) => void;
}

/** The whole service, running on this machine. */
export interface LocalRun {
  /** The first gateway's URL. */
  readonly url: string;
  /** The engine's URL, which bypasses IAM. */
  readonly dynamodbEndpoint: string;
  /** The stack that is running. */
  model(): StackModel;
  /** The values of the stack's secrets. */
  secrets(): SecretValues;
  /** The credentials of the functions and the operator, with the permissions that they used. */
  readonly credentials: CredentialStore;
  /** Opens another gateway to the same functions on any free port. */
  addGateway(slashes: SlashMode): Promise<string>;
  /**
   * Synthesizes again and applies the result: routes, settings, permissions, new tables and code. Running requests
   * finish with the old code; functions that did not change keep their execution environments.
   *
   * @returns the labels of new and changed functions
   */
  reload(): Promise<readonly string[]>;
  /** Resolves when the engine ends unexpectedly; the run is unusable then. */
  readonly engineEnded: Promise<void>;
  close(): Promise<void>;
}

/** Stored and given like the stack's secrets, but not part of the stack. */
const adminPassword = { label: "AdminPassword", arn: "", generatedLength: 20 };

/** How long `close` waits for running requests. */
const closeGraceMs = 5_000;

/**
 * Runs the deployment's artifacts on this machine: synthesizes the stack, starts the database engine, creates the
 * template's tables and serves its routes with its functions.
 *
 * @throws {CommandError} for anything that its user can fix; everything that was started is stopped again
 */
export async function runLocally(options: RunOptions): Promise<LocalRun> {
  // Closes in reverse order what the steps below start.
  await using cleanup = new AsyncDisposableStack();
  const { log, progress = () => undefined } = options;
  const directories = cleanup.adopt(await openDirectories(options.dataDirectory), ({ close }) => close());
  const synthesize = prepareSynthesis(options, directories, cleanup);

  progress("Synthesizing the stack and starting the database engine");
  const [model, engine, { assertStrongPassword, seed }] = await allSettledOrThrow([
    synthesize(),
    openEngine(options, directories.dataDirectory, cleanup),
    loadModule(() => import("./database/seed.ts")),
  ]);
  let current = model;
  const { AdminPassword: givenPassword } = options.secrets ?? {};
  if (givenPassword !== undefined) assertStrongPassword(givenPassword);
  const secrets = createSecretStore(options.secrets ?? {}, directories.dataDirectory);
  secrets.declare([...model.secrets, adminPassword]);
  await prepareTables(options, directories.dataDirectory, engine, model.tables, cleanup);
  const loaded = await seed(engine.endpoint, model.tables, {
    adminPassword: secrets.values()[adminPassword.label] ?? "",
    withCatalog: options.withCatalog ?? true,
  });
  if (loaded > 0) progress(`Loaded a catalog of ${loaded} products`);

  const credentials = new CredentialStore();
  const services = [
    createDynamodb(engine.endpoint, log),
    createSecretsManager(() => current.secrets, secrets),
  ];
  const aws = cleanup.adopt(await startAwsEndpoint(services, credentials, log), (it) => it.close());
  const limits = { ...defaultPoolLimits, ...options.limits };
  const context = { credentials, awsUrl: aws.url, log, limits };
  const functions = cleanup.adopt(new FunctionRegistry(model.functions, context), (it) => it.close());
  const gateways = openGateways(options, functions, cleanup);
  const url = await gateways.open(model.api, options.port ?? 0, options.slashes ?? "lenient");
  const publish = preparePublishing(
    directories.dataDirectory,
    aws.url,
    credentials,
    model.stackName,
    cleanup,
  );
  publish(model);

  const running = cleanup.move();
  return {
    url,
    dynamodbEndpoint: engine.endpoint,
    model: () => current,
    secrets: secrets.values,
    credentials,
    addGateway: (slashes) => gateways.open(current.api, 0, slashes),
    async reload() {
      const next = await synthesize();
      await createMissingTables(engine.endpoint, next.tables);
      secrets.declare([...next.secrets, adminPassword]);
      const changed = functions.replace(next.functions);
      current = next;
      gateways.replace(next.api);
      publish(next);
      return changed;
    },
    engineEnded: engine.ended,
    close: () => running.disposeAsync(),
  };
}

/** @returns synthesizes the stack with the app's current code */
function prepareSynthesis(
  { app = defaultApp, stage = "dev", stageSettings, canReload = false, environment }: RunOptions,
  { dataDirectory, workDirectory }: Directories,
  cleanup: AsyncDisposableStack,
): () => Promise<StackModel> {
  const props = { stage, ...stageSettings, outdir: join(workDirectory, "assembly") };
  // An in-memory run deletes its cache, which only its own reloads could use.
  const isCacheUseful = dataDirectory !== undefined || canReload;
  const compileCache = isCacheUseful ? join(props.outdir, "compile-cache") : undefined;
  const synthesizer = createSynthesizer(app, props, canReload, compileCache);
  cleanup.defer(synthesizer.close);
  return async () => {
    const model = readTemplate(await synthesizer.synthesize());
    const functions = model.functions.map((each) => ({
      ...each,
      environment: { ...each.environment, ...environment },
    }));
    return { ...model, functions };
  };
}

async function openEngine(
  { endpoint, log }: RunOptions,
  directory: string | undefined,
  cleanup: AsyncDisposableStack,
): Promise<Engine> {
  if (endpoint !== undefined) return await connectToEngine(endpoint);
  const engine = await startEngine(findEngines(process.env.PATH ?? ""), directory, log);
  return cleanup.adopt(engine, ({ stop }) => stop());
}

/** Creates missing tables and repairs the data after an unclean shutdown. */
async function prepareTables(
  { endpoint, progress = () => undefined }: RunOptions,
  directory: string | undefined,
  engine: Engine,
  tables: readonly TableModel[],
  cleanup: AsyncDisposableStack,
): Promise<void> {
  const created = await createMissingTables(engine.endpoint, tables);
  progress(`${engine.name} has ${tables.length} tables, ${created} of them new`);
  // An external database may have other users, whose operations would be repaired while they run.
  if (directory !== undefined && endpoint === undefined)
    cleanup.defer(await recoverFromUncleanShutdown(directory, engine, tables, progress));
}

/** The gateways of a run, which share its functions. */
function openGateways(
  { host = "127.0.0.1", log, limits, onResponse }: RunOptions,
  functions: FunctionRegistry,
  cleanup: AsyncDisposableStack,
) {
  const gateways: Gateway[] = [];
  cleanup.defer(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close(closeGraceMs)));
  });
  return {
    async open(api: ApiModel, port: number, slashes: SlashMode): Promise<string> {
      const gateway = await startGateway(api, functions, {
        host,
        port,
        slashes,
        log,
        ...(onResponse && { onResponse }),
        ...(limits?.integrationTimeoutMs && { integrationTimeoutMs: limits.integrationTimeoutMs }),
      });
      gateways.push(gateway);
      return gateway.url;
    },
    replace(api: ApiModel): void {
      for (const gateway of gateways) gateway.replace(api);
    },
  };
}

/** @returns writes the run file, by which operator commands find the run; an in-memory run has none */
function preparePublishing(
  directory: string | undefined,
  endpoint: string,
  credentials: CredentialStore,
  stackName: string,
  cleanup: AsyncDisposableStack,
): (model: StackModel) => void {
  if (directory === undefined) return () => undefined;
  const { accessKeyId } = credentials.issue(createOperator(stackName));
  const access = { endpoint, region: localRegion, accessKeyId, secretAccessKey: "local", stackName };
  cleanup.defer(() => deleteRunFile(directory));
  return ({ tables, secrets }) =>
    writeRunFile(directory, {
      ...access,
      tables: Object.fromEntries(tables.map(({ label, request }) => [label, request.TableName])),
      secrets: Object.fromEntries(secrets.map(({ label, arn }) => [label, arn])),
    } satisfies RunFile);
}

/** Like `Promise.all`, but waits for all promises before it throws, so that everything started can be stopped. */
async function allSettledOrThrow<A, B, C>(
  promises: readonly [Promise<A>, Promise<B>, Promise<C>],
): Promise<[A, B, C]> {
  await Promise.allSettled(promises);
  return await Promise.all(promises);
}
