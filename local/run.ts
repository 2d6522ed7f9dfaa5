import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { CommandError } from "../cli/errors.ts";
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
import { checkDatabase } from "./database/check-database.ts";
import {
  assemblyDirectory,
  type Directories,
  deleteAssets,
  openDirectories,
} from "./database/data-directory.ts";
import type { EngineAddress } from "./database/dynamodb-call.ts";
import { chooseEngine, connectToEngine, type Engine, startEngine } from "./database/engine.ts";
import { type EngineProgram, findEngines } from "./database/engine-programs.ts";
import { createMissingTables } from "./database/tables.ts";
import { type RunMarker, recoverFromUncleanShutdown, type Step } from "./database/unclean-shutdown.ts";
import { explainFullDisk } from "./disk-full.ts";
import { defaultPoolLimits, type PoolLimits } from "./lambda/function-pool.ts";
import { FunctionRegistry } from "./lambda/function-registry.ts";
import type { LogSink } from "./log.ts";
import { deleteRunFile, type RunFile, writeRunFile } from "./run-file.ts";
import { localRegion } from "./stack/arn.ts";
import { AssemblyCache } from "./stack/assembly-cache.ts";
import { loadModule } from "./stack/code-error.ts";
import type { ApiModel, StackModel, TableModel } from "./stack/model.ts";
import { createSynthesizer, defaultApp } from "./stack/synthesize.ts";
import { readTemplate } from "./stack/template.ts";

export interface RunOptions {
  /** `dev` (the default) or `prod`. */
  readonly stage?: string;
  /** The stage's settings by name; by default the stage's own values. */
  readonly stageSettings?: Readonly<Record<string, string>>;
  readonly host?: string;
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** The directory of the embedded engine's data; `memory` keeps it in memory. */
  readonly dataDirectory: string;
  /** The URL of an external DynamoDB, instead of the embedded engine. */
  readonly endpoint?: string;
  /** How the first gateway treats a trailing slash; `lenient` by default. */
  readonly slashes?: SlashMode;
  /** The URL that functions use instead of the local AWS endpoint: of a proxy in front of it. */
  readonly awsProxy?: (awsUrl: string) => string;
  /** Environment variables for every function, in addition to the template's. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether to load the sample catalog into an empty database; true by default. */
  readonly withCatalog?: boolean;
  /** Whether to add the demo's records where the catalog was loaded; false by default. */
  readonly withDemo?: boolean;
  /** Values of secrets and `AdminPassword`; the others are generated and stored with the data. */
  readonly secrets?: SecretValues;
  readonly limits?: Partial<PoolLimits> & Pick<GatewayOptions, "integrationTimeoutMs">;
  readonly canReload?: boolean;
  readonly app?: URL;
  /** Receives the output of the functions and of the local run's parts. */
  readonly log: LogSink;
  /** Receives each step of the start that succeeded, with its duration. */
  readonly onStep?: (text: string, milliseconds: number) => void;
  readonly onResponse?: (served: ServedRequest) => void;
  readonly intercept?: GatewayOptions["intercept"];
}

/** The whole service, running on this machine. */
export interface LocalRun {
  readonly url: string;
  /** The engine, which bypasses IAM. */
  readonly engine: EngineAddress;
  model(): StackModel;
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
  /** Resolves when the engine ends unexpectedly. */
  readonly engineEnded: Promise<unknown>;
  close(): Promise<void>;
}

/** Stored and given like the stack's secrets, but not part of the stack. */
const adminPassword = { label: "AdminPassword", arn: "", generatedLength: 20 };

/** How long `close` waits for running requests. */
const closeGraceMs = 5_000;

/**
 * Runs the deployment's artifacts on this machine: synthesizes the stack, starts the database engine, creates the
 * template's tables and serves its routes with its functions. Nothing is created unless an engine was found.
 *
 * @throws {CommandError} for anything that its user can fix; everything that was started is stopped again
 */
export async function runLocally(options: RunOptions): Promise<LocalRun> {
  const step: Step = async (work, describe) => {
    const startedAt = performance.now();
    const result = await work();
    options.onStep?.(describe(result), performance.now() - startedAt);
    return result;
  };
  const { endpoint } = options;
  const source =
    endpoint === undefined
      ? chooseEngine(findEngines(process.env.PATH ?? ""))
      : await connectToEngine(endpoint);
  const directory = options.dataDirectory === "memory" ? tmpdir() : resolve(options.dataDirectory);
  const run = await explainFullDisk(directory, () => start(options, source, step));
  return { ...run, reload: () => explainFullDisk(directory, run.reload) };
}

interface Start {
  readonly options: RunOptions;
  readonly directories: Directories;
  readonly step: Step;
  /** Closes in reverse order what was started. */
  readonly cleanup: AsyncDisposableStack;
}

async function start(options: RunOptions, source: EngineProgram | Engine, step: Step): Promise<LocalRun> {
  await using cleanup = new AsyncDisposableStack();
  const { log } = options;
  const directories = cleanup.adopt(await openDirectories(options.dataDirectory), ({ close }) => close());
  const { dataDirectory } = directories;
  // Checked first: synthesis takes seconds.
  if (dataDirectory !== undefined && options.endpoint === undefined) checkDatabase(dataDirectory, log);
  const secrets = createSecretStore(options.secrets ?? {}, dataDirectory);
  const context: Start = { options, directories, step, cleanup };
  const { synthesize, isReused } = prepareSynthesis(context);

  const starting = [
    step(synthesize, () => `${isReused() ? "Reused the synthesized" : "Synthesized the"} stack`),
    openEngine(source, context),
    loadModule(() => import("./database/seed.ts")),
  ] as const;
  // If one fails, the others finish first, so that everything started can be stopped.
  await Promise.allSettled(starting);
  const [model, engine, { seed }] = await Promise.all(starting);
  let current = model;
  secrets.declare([...model.secrets, adminPassword]);
  const { withCatalog = true, withDemo = false } = options;
  const password = () => secrets.values()[adminPassword.label] ?? "";
  const prepareDatabase = async () => {
    const { marker, areNew } = await prepareTables(engine, model.tables, context);
    const loaded = await step(
      () => seed(engine, model.tables, { adminPassword: password(), withCatalog }),
      (loaded) => (loaded > 0 ? `Loaded ${loaded} sample records` : "Prepared the first records"),
    );
    return { marker, isNew: loaded > 0 || areNew };
  };
  const { marker, isNew } = await Promise.race([prepareDatabase(), rejectWhenEnded(engine)]);

  const credentials = new CredentialStore();
  const services = [createDynamodb(engine, log), createSecretsManager(() => current.secrets, secrets)];
  const aws = cleanup.adopt(await startAwsEndpoint(services, credentials, log), (it) => it.close());
  const limits = { ...defaultPoolLimits, ...options.limits };
  const awsUrl = options.awsProxy?.(aws.url) ?? aws.url;
  const functions = cleanup.adopt(
    new FunctionRegistry(model.functions, { credentials, awsUrl, log, limits }),
    (it) => it.close(),
  );
  let isLoadingDemo = false;
  const onResponse = (served: ServedRequest) => {
    marker?.checkResponse(served);
    if (!isLoadingDemo) options.onResponse?.(served);
  };
  const gateways = openGateways(functions, { ...context, options: { ...options, onResponse } });
  const url = await gateways.open(model.api, options.port ?? 0, options.slashes ?? "lenient");
  const publish = preparePublishing(aws.url, credentials, model.stackName, context);
  publish(model);
  if (withDemo && !isNew) {
    log({
      source: "demo",
      text: "SEED=demo loaded nothing: the database had records before. Reset it first.",
    });
  } else if (withDemo) {
    const { loadDemo } = await import("./demo/load-demo.ts");
    isLoadingDemo = true;
    await step(
      () => loadDemo(url, password()),
      (created) => `Loaded a demo of ${created} records`,
    );
    isLoadingDemo = false;
  }

  const running = cleanup.move();
  return {
    url,
    engine,
    model: () => current,
    secrets: secrets.values,
    credentials,
    addGateway: (slashes) => gateways.open(current.api, 0, slashes),
    async reload() {
      const next = await synthesize();
      await createMissingTables(engine, next.tables);
      secrets.declare([...next.secrets, adminPassword]);
      const changed = functions.replace(next.functions);
      // Requests that are still running may read the files of the code before.
      const used = [...current.functions, ...next.functions].map(({ codeDirectory }) => codeDirectory);
      current = next;
      gateways.replace(next.api);
      publish(next);
      await deleteAssets(assemblyDirectory(directories.workDirectory), new Set(used));
      return changed;
    },
    engineEnded: engine.ended,
    close: () => running.disposeAsync(),
  };
}

/** @returns synthesizes the stack with the app's current code */
function prepareSynthesis({ options, directories, cleanup }: Start) {
  const { app = defaultApp, stage = "dev", stageSettings, canReload = false, environment } = options;
  const props = { stage, ...stageSettings, outdir: assemblyDirectory(directories.workDirectory) };
  const cache = app === defaultApp ? new AssemblyCache(props) : undefined;
  const { synthesize, isReused, close } = createSynthesizer(app, props, canReload, cache);
  cleanup.defer(close);
  const synthesizeModel = async (): Promise<StackModel> => {
    const model = readTemplate(await synthesize());
    const functions = model.functions.map((each) => ({
      ...each,
      environment: { ...each.environment, ...environment },
    }));
    return { ...model, functions };
  };
  return { synthesize: synthesizeModel, isReused };
}

async function openEngine(
  source: EngineProgram | Engine,
  { options, directories, step, cleanup }: Start,
): Promise<Engine> {
  if ("endpoint" in source) return source;
  const engine = await step(
    () => startEngine([source], directories.dataDirectory, options.log, { isolated: true }),
    ({ name }) => `Started ${name}`,
  );
  return cleanup.adopt(engine, ({ stop }) => stop());
}

async function rejectWhenEnded({ name, ended }: Engine): Promise<never> {
  throw new CommandError(`The database engine ${name} ended during the start: ${await ended}`);
}

/**
 * Creates missing tables and repairs the data after an unclean shutdown.
 *
 * @returns whether all tables were created, and a marker unless the data is in memory or in an external database
 */
async function prepareTables(
  engine: Engine,
  tables: readonly TableModel[],
  { options: { endpoint }, directories: { dataDirectory }, step, cleanup }: Start,
): Promise<{ readonly areNew: boolean; readonly marker?: RunMarker }> {
  const created = await step(
    () => createMissingTables(engine, tables),
    (created) => `Created ${created} of ${tables.length} tables`,
  );
  const areNew = created === tables.length;
  // An external database may have other users, whose operations would be repaired while they run.
  if (dataDirectory === undefined || endpoint !== undefined) return { areNew };
  const marker = await recoverFromUncleanShutdown(dataDirectory, engine, tables, step);
  return { areNew, marker: cleanup.adopt(marker, (it) => it.remove()) };
}

function openGateways(functions: FunctionRegistry, { options, cleanup }: Start) {
  const { host = "127.0.0.1", limits } = options;
  const gateways: Gateway[] = [];
  let hasToldRefusal = false;
  // Browsers only say "CORS error". Once is enough: they ask again before every request.
  const onRefusal = (text: string) => {
    if (!hasToldRefusal) options.log({ source: "gateway", text });
    hasToldRefusal = true;
  };
  cleanup.defer(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close(closeGraceMs)));
  });
  return {
    async open(api: ApiModel, port: number, slashes: SlashMode): Promise<string> {
      const gatewayOptions = { ...options, ...limits, onRefusal, host, port, slashes };
      const gateway = await startGateway(api, functions, gatewayOptions);
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
  endpoint: string,
  credentials: CredentialStore,
  stackName: string,
  { directories: { dataDirectory: directory }, cleanup }: Start,
): (model: StackModel) => void {
  if (directory === undefined) return () => undefined;
  const { accessKeyId } = credentials.issue(createOperator(stackName));
  const access = { endpoint, region: localRegion, accessKeyId, secretAccessKey: "local" };
  cleanup.defer(() => deleteRunFile(directory));
  return ({ tables, secrets }) =>
    writeRunFile(directory, {
      ...access,
      tables: Object.fromEntries(tables.map(({ label, request }) => [label, request.TableName])),
      secrets: Object.fromEntries(secrets.map(({ label, arn }) => [label, arn])),
    } satisfies RunFile);
}
