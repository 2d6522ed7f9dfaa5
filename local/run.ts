import { join } from "node:path";
import { type Gateway, type ServedRequest, startGateway } from "./api-gateway/gateway.ts";
import type { SlashMode } from "./api-gateway/router.ts";
import { createCloudFormation } from "./aws/cloudformation.ts";
import { type CredentialStore, createCredentialStore } from "./aws/credentials.ts";
import { createDynamodb } from "./aws/dynamodb.ts";
import { startAwsEndpoint } from "./aws/endpoint.ts";
import { createOperator } from "./aws/operator.ts";
import { createSecretStore, type SecretValues } from "./aws/secret-values.ts";
import { createSecrets } from "./aws/secrets-manager.ts";
import { openDirectories } from "./database/data-directory.ts";
import { type Engine, startEngine, useEngine } from "./database/engine.ts";
import { findEngines } from "./database/engine-programs.ts";
import { createMissingTables } from "./database/tables.ts";
import { beginRun } from "./database/unfinished-run.ts";
import { createFunctionPool, defaultPoolLimits, type PoolLimits } from "./lambda/function-pool.ts";
import { createFunctionRegistry } from "./lambda/function-registry.ts";
import type { LogSink } from "./log.ts";
import { writeRunFile } from "./run-file.ts";
import { loadModule } from "./stack/load-module.ts";
import type { Model } from "./stack/model.ts";
import { localRegion } from "./stack/resource-names.ts";
import { createSynthesizer, defaultApp } from "./stack/synthesize.ts";
import { readTemplate } from "./stack/template.ts";

export interface RunOptions {
  /** `dev` (the default) or `prod`. */
  readonly stage?: string;
  /** The stage's settings by name; those that are not given have the stage's own values. */
  readonly stageSettings?: Readonly<Record<string, string>>;
  /** Loopback unless told otherwise. */
  readonly host?: string;
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** Where the embedded engine keeps its data; `memory` keeps nothing. */
  readonly dataDirectory: string;
  /** The URL of a DynamoDB to use instead of the embedded engine. */
  readonly endpoint?: string;
  /** How the first gateway treats a trailing slash; `lenient` by default. */
  readonly slashes?: SlashMode;
  /** Variables for every function besides those that the template declares. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether an empty database gets a small product catalog; it does unless told. */
  readonly withCatalog?: boolean;
  /** Values of secrets, and `AdminPassword`; the others are generated where the template says so, and kept with the data. */
  readonly secrets?: SecretValues;
  readonly limits?: Partial<PoolLimits> & { readonly integrationMs?: number };
  /** Whether `reload` will be called, and should be fast. */
  readonly watched?: boolean;
  /** The module of the CDK app. */
  readonly app?: URL;
  /** Where the output of the functions and of the local run's parts goes. */
  readonly log: LogSink;
  /** Hears what is being done, a line each. */
  readonly progress?: (text: string) => void;
  /** Called after each answer. */
  readonly onAnswer?: (served: ServedRequest) => void;
}

/** The whole service, running on this machine. */
export interface LocalRun {
  /** The first gateway's URL. */
  readonly url: string;
  /** The engine's own URL, where nothing is checked. */
  readonly dynamodbEndpoint: string;
  /** What is running, from the synthesized template. */
  model(): Model;
  /** The values of the stack's secrets. */
  secrets(): SecretValues;
  /** What the functions were allowed to do in the database. */
  readonly callers: CredentialStore;
  /** Opens one more gateway to the same functions, on any free port; `close` closes it as well. */
  addGateway(slashes: SlashMode): Promise<string>;
  /**
   * Synthesizes again and goes over to the result: routes, settings, permissions, new tables and new code.
   * Running requests end as they began; functions whose code and settings are the same keep running.
   *
   * @returns the labels of the functions that changed
   */
  reload(): Promise<readonly string[]>;
  /** Resolves when the engine has ended by itself: nothing works any more. */
  readonly engineEnded: Promise<void>;
  close(): Promise<void>;
}

/** Kept and given like the stack's secrets; the stack itself has none of it. */
const adminPassword = { label: "AdminPassword", arn: "", generatedLength: 20 };

/** How long `close` waits for running requests. */
const graceMs = 5_000;

/**
 * Runs the deployment's artefacts on this machine: synthesizes the stack, starts the engine, creates the tables
 * that the template declares and serves its routes with its functions.
 *
 * @returns the run, ready for requests
 * @throws {StartError} for all that its user can set right; whatever was started is stopped again
 */
export async function runLocally(options: RunOptions): Promise<LocalRun> {
  const closers: Closer[] = [];
  try {
    return await start(options, closers);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

type Closer = () => unknown;

async function start(options: RunOptions, closers: Closer[]): Promise<LocalRun> {
  const { log, progress = () => undefined } = options;
  const directories = await openDirectories(options.dataDirectory);
  closers.push(directories.close);
  const { dataDirectory, workDirectory } = directories;
  const props = {
    stage: options.stage ?? "dev",
    ...options.stageSettings,
    outdir: join(workDirectory, "assembly"),
  };
  const isWatched = options.watched ?? false;
  // In the assembly's folder, which a run that keeps nothing deletes: only its reloads would find it.
  const compileCache =
    dataDirectory !== undefined || isWatched ? join(props.outdir, "compile-cache") : undefined;
  const synthesizer = createSynthesizer(options.app ?? defaultApp, props, isWatched, compileCache);
  closers.push(synthesizer.close);
  const synthesize = async () => withEnvironment(readTemplate(await synthesizer.synthesize()), options);

  progress("Synthesizing the stack and starting the database engine");
  const [model, engine, { seed }] = await allOrFirstFailure([
    synthesize(),
    startOrUseEngine(options, dataDirectory, closers),
    loadModule(() => import("./database/seed.ts")),
  ]);
  const created = await createMissingTables(engine.endpoint, model.tables);
  progress(`${engine.name} has ${model.tables.length} tables, ${created} of them new`);
  // What somebody else runs may be in use by others too.
  if (dataDirectory !== undefined && options.endpoint === undefined)
    closers.push(await beginRun(dataDirectory, engine, model.tables, progress));

  const callers = createCredentialStore();
  const secrets = createSecretStore(options.secrets ?? {}, dataDirectory);
  let current = model;
  await secrets.declare([...model.secrets, adminPassword]);
  const loaded = await seed(engine.endpoint, model.tables, {
    adminPassword: secrets.values()[adminPassword.label] ?? "",
    withCatalog: options.withCatalog ?? true,
  });
  if (loaded > 0) progress(`Loaded a catalog of ${loaded} products`);
  const services = [
    createDynamodb(engine.endpoint, log),
    createSecrets(() => current.secrets, secrets),
    createCloudFormation(() => current),
  ];
  const aws = await startAwsEndpoint(services, callers, log);
  closers.push(aws.close);
  const limits = { ...defaultPoolLimits, ...options.limits };
  const fleet = createFunctionRegistry(model.functions, (functionModel) =>
    createFunctionPool(functionModel, { callers, awsUrl: aws.url }, log, limits),
  );
  closers.push(fleet.close);

  const gateways: Gateway[] = [];
  const openGateway = async (port: number, slashes: SlashMode): Promise<string> => {
    const gateway = await startGateway(current.api, fleet.invoke, {
      host: options.host ?? "127.0.0.1",
      port,
      slashes,
      log,
      ...(options.onAnswer === undefined ? {} : { onAnswer: options.onAnswer }),
      ...(limits.integrationMs === undefined ? {} : { integrationLimitMs: limits.integrationMs }),
    });
    gateways.push(gateway);
    closers.push(() => gateway.close(graceMs));
    return gateway.url;
  };

  const url = await openGateway(options.port ?? 0, options.slashes ?? "lenient");
  if (dataDirectory !== undefined) {
    const { accessKeyId } = callers.issue(createOperator(model.stackName));
    const reach = { endpoint: aws.url, region: localRegion, stackName: model.stackName };
    closers.push(await writeRunFile(dataDirectory, { ...reach, accessKeyId, secretAccessKey: "local" }));
  }

  return {
    url,
    dynamodbEndpoint: engine.endpoint,
    model: () => current,
    secrets: secrets.values,
    callers,
    addGateway: (slashes) => openGateway(0, slashes),
    async reload() {
      const next = await synthesize();
      await createMissingTables(engine.endpoint, next.tables);
      await secrets.declare([...next.secrets, adminPassword]);
      const changed = fleet.replace(next.functions);
      current = next;
      for (const gateway of gateways) gateway.replace(next.api);
      return changed;
    },
    engineEnded: engine.ended,
    close: () => closeAll(closers),
  };
}

async function startOrUseEngine(
  { endpoint, log }: RunOptions,
  directory: string | undefined,
  closers: Closer[],
): Promise<Engine> {
  if (endpoint !== undefined) return await useEngine(endpoint);
  const engine = await startEngine(findEngines(process.env.PATH ?? ""), directory, log);
  closers.push(engine.stop);
  return engine;
}

function withEnvironment(model: Model, { environment }: RunOptions): Model {
  if (environment === undefined) return model;
  const functions = model.functions.map((functionModel) => ({
    ...functionModel,
    environment: { ...functionModel.environment, ...environment },
  }));
  return { ...model, functions };
}

/** Like `Promise.all`, but a failure waits for the others, so that all that was started can be stopped. */
async function allOrFirstFailure<A, B, C>(
  promises: readonly [Promise<A>, Promise<B>, Promise<C>],
): Promise<[A, B, C]> {
  await Promise.allSettled(promises);
  return await Promise.all(promises);
}

/** Last started, first closed. One that fails keeps none of the others from closing. */
async function closeAll(closers: Closer[]): Promise<void> {
  const failures: unknown[] = [];
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "Not everything could be closed.");
}
