import { url as debuggerUrl } from "node:inspector";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
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
import {
  createSecretStore,
  type SecretStore,
  type SecretValues,
  withSecretValues,
} from "./aws/secret-values.ts";
import { createSecretsManager } from "./aws/secrets-manager.ts";
import { checkDatabase } from "./database/check-database.ts";
import { assemblyDirectory, deleteAssets, openDirectories } from "./database/data-directory.ts";
import type { EngineAddress } from "./database/dynamodb-call.ts";
import { connectToEngine, type Engine, startEngine } from "./database/engine.ts";
import { chooseEngine, type EngineProgram } from "./database/engine-programs.ts";
import { createMissingTables } from "./database/tables.ts";
import { recoverFromUncleanShutdown, type Step } from "./database/unclean-shutdown.ts";
import { explainFullDisk } from "./disk-full.ts";
import { createLambda, Jobs } from "./jobs.ts";
import { defaultPoolLimits, type PoolLimits } from "./lambda/function-pool.ts";
import { FunctionRegistry } from "./lambda/function-registry.ts";
import type { LogSink } from "./log.ts";
import { createLogFile } from "./log-file.ts";
import { deleteRunFile, writeRunFile } from "./run-file.ts";
import { createAssemblyCache } from "./stack/assembly-cache.ts";
import { loadModule } from "./stack/code-error.ts";
import type { StackModel, TableModel } from "./stack/model.ts";
import { createSynthesizer, defaultApp } from "./stack/synthesize.ts";
import { readTemplate } from "./stack/template.ts";

export interface RunOptions {
  readonly stageSettings?: Readonly<Record<string, string>>;
  readonly host?: string;
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** The directory of the embedded engine's data; `memory` keeps it in memory. */
  readonly dataDirectory: string;
  /** The URL of an external DynamoDB, instead of the embedded engine. */
  readonly endpoint?: string;
  /** The URL that functions use instead of the local AWS endpoint: of a proxy in front of it. */
  readonly awsProxy?: (awsUrl: string) => string;
  /** Environment variables for every function, in addition to the template's. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly withCatalog?: boolean;
  /** Whether to add the demo's records if there were none before; false by default. */
  readonly withDemo?: boolean;
  /** Values of secrets and `AdminPassword`; the others are generated and stored with the data. */
  readonly secrets?: SecretValues;
  readonly limits?: Partial<PoolLimits> & Pick<GatewayOptions, "integrationTimeoutMs">;
  readonly app?: URL;
  readonly log: LogSink;
  /** Receives each step of the start that succeeded, with its duration. */
  readonly onStep?: (text: string, milliseconds: number) => void;
  readonly onResponse?: (served: ServedRequest) => void;
  readonly intercept?: GatewayOptions["intercept"];
}

export interface LocalRun {
  readonly url: string;
  /** The engine, which bypasses IAM. */
  readonly engine: EngineAddress;
  model(): StackModel;
  secrets(): SecretValues;
  readonly credentials: CredentialStore;
  addGateway(slashes: SlashMode): Promise<string>;
  /**
   * Bundles the few functions again that were made from files which have changed, and serves each as soon as it
   * starts. To be called after each change, before `reload`. @yields their labels
   *
   * @throws {CommandError} if one can't be bundled or started; then the code before stays
   */
  rebundle(files: readonly string[]): AsyncIterable<string>;
  /**
   * Synthesizes again and applies the result. Running requests finish with the old code; functions that did
   * not change keep their execution environments.
   *
   * @returns the labels of the others, and added and deleted routes; undefined if files have changed meanwhile
   */
  reload(): Promise<readonly string[] | undefined>;
  readonly engineEnded: Promise<unknown>;
  close(): Promise<void>;
}

/** Stored and given like the stack's secrets, but not part of the stack. */
const adminPassword = { label: "AdminPassword", arn: "", generatedLength: 20 };
const passwordIn = (secrets: SecretStore) => secrets.values()[adminPassword.label] ?? "";

/**
 * Runs the deployment's artifacts on this machine. Nothing is created unless an engine was found.
 *
 * @throws {CommandError} for anything that its user can fix; everything that was started is stopped again
 */
export async function runLocally(options: RunOptions): Promise<LocalRun> {
  const { endpoint, dataDirectory } = options;
  const source = endpoint === undefined ? chooseEngine() : await connectToEngine(endpoint);
  const directory = dataDirectory === "memory" ? tmpdir() : resolve(dataDirectory);
  const run = await explainFullDisk(directory, () => start(options, source));
  return {
    ...run,
    async *rebundle(files) {
      const names = run.rebundle(files);
      for (;;) {
        const { done, value } = await explainFullDisk(directory, () => names.next());
        if (done) return;
        yield value;
      }
    },
    reload: () => explainFullDisk(directory, run.reload),
  };
}

async function start(given: RunOptions, source: EngineProgram | Engine) {
  await using cleanup = new AsyncDisposableStack();
  const directories = cleanup.adopt(await openDirectories(given.dataDirectory), ({ close }) => close());
  const { dataDirectory, workDirectory } = directories;
  const logFile =
    dataDirectory && cleanup.adopt(createLogFile(dataDirectory, given.log), (file) => file.close());
  const options = logFile ? { ...given, log: logFile.log } : given;
  const step: Step = async (work, describe) => {
    const startedAt = performance.now();
    const result = await work();
    options.onStep?.(describe(result), performance.now() - startedAt);
    return result;
  };
  const starting: Starting = { options, ...directories, step, cleanup };
  // Checked first: synthesis takes seconds.
  if (dataDirectory !== undefined && options.endpoint === undefined) checkDatabase(dataDirectory);
  const { synthesize, stack, engine } = await synthesizeAndStartEngine(source, starting);
  const model = readTemplate(stack);
  const secrets = createSecretStore(options.secrets ?? {}, dataDirectory);
  secrets.declare([...model.secrets, adminPassword]);
  const preparing = prepareDatabase(engine, model.tables, passwordIn(secrets), starting);
  const { marker, isNew } = await Promise.race([preparing, failWhenEnded(engine)]);

  let isLoadingDemo = false;
  const onResponse = (served: ServedRequest) => {
    marker?.checkResponse(served);
    if (!isLoadingDemo) options.onResponse?.(served);
  };
  const service = await startService(engine, secrets, model, onResponse, starting);
  if (options.withDemo && isNew) {
    isLoadingDemo = true;
    const { loadDemo } = await import("./demo/load-demo.ts");
    await step(
      () => loadDemo(service.url, passwordIn(secrets)),
      () => "Loaded the demo",
    );
    isLoadingDemo = false;
  }
  const running = cleanup.move();
  let changes = 0;
  return {
    ...service,
    secrets: secrets.values,
    rebundle(files: readonly string[]) {
      changes += 1;
      return rebundleFunctions(service, files, workDirectory);
    },
    async reload() {
      const before = changes;
      const next = readTemplate(await synthesize());
      return await reload(service, next, workDirectory, () => changes > before);
    },
    engineEnded: engine.ended,
    close: () => running.disposeAsync(),
  };
}

interface Starting {
  readonly options: RunOptions;
  readonly dataDirectory: string | undefined;
  readonly workDirectory: string;
  readonly step: Step;
  readonly cleanup: AsyncDisposableStack;
}

/** Does both at the same time, and loads the service's own code meanwhile. */
async function synthesizeAndStartEngine(source: EngineProgram | Engine, starting: Starting) {
  const { options, dataDirectory, workDirectory, step, cleanup } = starting;
  const { app = defaultApp, stageSettings, log } = options;
  const props = { stage: "dev", ...stageSettings, outdir: assemblyDirectory(workDirectory) };
  const cache = app === defaultApp ? createAssemblyCache(props) : undefined;
  const { synthesize } = cleanup.adopt(createSynthesizer(app, props, cache), (it) => it.close());
  const startOwn = async (program: EngineProgram) =>
    cleanup.adopt(await startEngine(program, dataDirectory, log), (it) => it.stop());
  const parts = [
    step(synthesize, ({ isReused }) => `${isReused ? "Reused the synthesized" : "Synthesized the"} stack`),
    "endpoint" in source
      ? source
      : step(
          () => startOwn(source),
          ({ name }) => `Started ${name}`,
        ),
    loadSeed(),
  ] as const;
  // If one fails, the others finish first, so that everything started can be stopped.
  await Promise.allSettled(parts);
  const [stack, engine] = await Promise.all(parts);
  return { synthesize, stack, engine };
}

/**
 * Creates missing tables, repairs the data after an unclean shutdown, and creates the first records.
 *
 * @returns whether there were no records before, and a marker if the data is in the data directory
 */
async function prepareDatabase(
  engine: Engine,
  tables: readonly TableModel[],
  adminPassword: string,
  { options: { endpoint, withCatalog = true }, dataDirectory, step, cleanup }: Starting,
) {
  const created = await step(
    () => createMissingTables(engine, tables),
    (created) => `Created ${created} of ${tables.length} tables`,
  );
  // An external database may have other users, whose operations would be repaired while they run.
  const isOwn = dataDirectory !== undefined && endpoint === undefined;
  const marker = isOwn ? await recoverFromUncleanShutdown(dataDirectory, engine, tables, step) : undefined;
  cleanup.defer(() => marker?.remove());
  const { seed } = await loadSeed();
  const loaded = await step(
    () => seed(engine, tables, { adminPassword, withCatalog }),
    (loaded) => (loaded > 0 ? `Loaded ${loaded} sample records` : "Prepared the first records"),
  );
  return { marker, isNew: loaded > 0 || created === tables.length };
}

type Service = Awaited<ReturnType<typeof startService>>;

/** Starts the AWS endpoint, the functions that call it, and a gateway in front of them. */
async function startService(
  engine: Engine,
  secrets: SecretStore,
  firstModel: StackModel,
  onResponse: (served: ServedRequest) => void,
  { options, dataDirectory, cleanup }: Starting,
) {
  const { log, environment, host = "127.0.0.1" } = options;
  const limits = { ...defaultPoolLimits, ...options.limits, ...(debuggerUrl() && unlimited) };
  let model = withSecretValues(firstModel, secrets.values());
  const credentials = new CredentialStore();
  const services = [
    createDynamodb(engine, log),
    createSecretsManager(() => model.secrets, secrets),
    createLambda((name, payload) => jobs.run(name, payload)),
  ];
  const aws = cleanup.adopt(await startAwsEndpoint(services, credentials, log), (it) => it.close());
  const awsUrl = options.awsProxy?.(aws.url) ?? aws.url;
  const functions = cleanup.adopt(
    new FunctionRegistry(model.functions, { credentials, awsUrl, environment, log, limits }),
    (it) => it.close(),
  );
  const file = dataDirectory && join(dataDirectory, "jobs.json");
  const jobs: Jobs = cleanup.adopt(new Jobs({ engine, functions, file, log, onRun: onResponse }), (it) =>
    it.close(),
  );
  const gateways: Gateway[] = [];
  cleanup.defer(async () => void (await Promise.all(gateways.map((gateway) => gateway.close()))));
  const addGateway = async (slashes: SlashMode, port = 0) => {
    const gatewayOptions = { ...options, ...limits, onResponse, host, port, slashes };
    const gateway = await startGateway(model.api, functions, gatewayOptions);
    gateways.push(gateway);
    return gateway.url;
  };
  const url = await addGateway("lenient", options.port);
  jobs.replace(model.jobs);
  const { accessKeyId } = credentials.issue(createOperator(model));
  const publish = () => {
    if (dataDirectory !== undefined) writeRunFile(dataDirectory, model, aws.url, accessKeyId);
  };
  if (dataDirectory !== undefined) cleanup.defer(() => deleteRunFile(dataDirectory));
  publish();
  const replace = (next: StackModel) => {
    const changed = functions.replace(next.functions);
    model = next;
    jobs.replace(next.jobs);
    for (const gateway of gateways) gateway.replace(next.api);
    publish();
    return changed;
  };
  return { url, engine, secrets, model: () => model, credentials, functions, addGateway, replace };
}

/** While a debugger may pause functions, none is too slow: Node's longest timer. */
const unlimited = Object.fromEntries(
  ["initMs", "invocationMs", "waitMs", "integrationTimeoutMs"].map((name) => [name, 2 ** 31 - 1]),
);

async function* rebundleFunctions(service: Service, files: readonly string[], workDirectory: string) {
  const { rebundle } = await import("./stack/rebundle.ts");
  // A synthesis that began before the change is not applied.
  const { functions } = service.model();
  for await (const changed of rebundle(functions, files, assemblyDirectory(workDirectory))) {
    await service.functions.prepare([changed]);
    const model = service.model();
    const replaced = model.functions.map((each) => (each.logicalId === changed.logicalId ? changed : each));
    yield* service.replace({ ...model, functions: replaced });
  }
}

async function reload(service: Service, next: StackModel, workDirectory: string, isOutdated: () => boolean) {
  await createMissingTables(service.engine, next.tables);
  if (isOutdated()) return undefined;
  service.secrets.declare([...next.secrets, adminPassword]);
  const resolved = withSecretValues(next, service.secrets.values());
  const before = service.model();
  // Requests that are still running may read the files of the code before.
  const used = [...before.functions, ...next.functions].map(({ codeDirectory }) => codeDirectory);
  const changed = service.replace(resolved);
  await deleteAssets(assemblyDirectory(workDirectory), new Set(used));
  const keysOf = ({ api }: StackModel) => api.routes.map(({ routeKey }) => routeKey);
  const [old, current] = [keysOf(before), keysOf(next)];
  const added = current.filter((key) => !old.includes(key)).map((key) => `${key} (new)`);
  const deleted = old.filter((key) => !current.includes(key)).map((key) => `${key} (deleted)`);
  return [...changed, ...added, ...deleted];
}

const loadSeed = () => loadModule(() => import("./database/seed.ts"));

async function failWhenEnded({ name, ended }: Engine): Promise<never> {
  throw new CommandError(`The database engine ${name} ended during the start: ${await ended}`);
}
