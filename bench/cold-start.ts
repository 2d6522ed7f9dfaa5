import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { definitions, routesByArea } from "../functions/definitions.ts";
import { type PreparedRequest, prepare, referencesOf, shownContext } from "../functions/example-requests.ts";
import { tableVariable } from "../lib/settings.ts";
import { buildEvent, newRequestId } from "../local/api-gateway/event.ts";
import { CredentialStore } from "../local/aws/credentials.ts";
import { createDynamodb } from "../local/aws/dynamodb.ts";
import { startAwsEndpoint } from "../local/aws/endpoint.ts";
import { createSecretStore } from "../local/aws/secret-values.ts";
import { createSecretsManager } from "../local/aws/secrets-manager.ts";
import { functionEnvironment } from "../local/lambda/environment-variables.ts";
import { runLocally } from "../local/run.ts";
import { localAccount } from "../local/stack/arn.ts";
import { messageOfChild } from "./child-processes.ts";
import type { ColdStartTimes } from "./cold-start/child.ts";
import { startTlsProxy } from "./cold-start/tls.ts";

/** The cold start of a function. */
export interface ColdStart {
  readonly name: string;
  /** Size of the minified bundle, and zipped as it is uploaded. */
  readonly bytes: number;
  readonly zippedBytes: number;
  /** Method and target of the request. */
  readonly request: string;
  readonly times: readonly ColdStartTimes[];
}

const apiKey = "the key of the benchmark";

/** The name of the floor: a function that only reads an item with the AWS SDK. */
const BARE_SDK = "bare SDK";

/**
 * Measures the cold start of every function: loads its bundle in a new process with the environment of the stack and
 * an empty database behind TLS, and sends requests.
 *
 * @param times the number of processes per function; the functions take turns, so that other load on the machine
 *   affects all alike
 * @returns the floor, then the functions in the order of the stack
 */
export async function measureColdStarts(times: number): Promise<ColdStart[]> {
  const silent = () => undefined;
  const run = await runLocally({ dataDirectory: "memory", secrets: { ApiKeys: apiKey }, log: silent });
  const credentials = new CredentialStore();
  const declared = run.model().secrets;
  const values = Object.entries(run.secrets()).filter(([label]) =>
    declared.some((each) => each.label === label),
  );
  const store = createSecretStore(Object.fromEntries(values), undefined);
  store.declare(declared);
  const secrets = createSecretsManager(() => run.model().secrets, store);
  const aws = await startAwsEndpoint([createDynamodb(run.engine, silent), secrets], credentials, silent);
  const tls = await startTlsProxy(aws.url);
  const floor = bundleFloor();
  // The floor reads an item with the permissions of the first function that has a table.
  const host = Object.keys(definitions).find(recordTableOf);
  try {
    const subjects = run.model().functions.flatMap((model) => {
      const name = model.environment.SERVICE_NAME ?? "";
      const { accessKeyId } = credentials.issue(model);
      const environment: Readonly<Record<string, string>> = {
        ...functionEnvironment(model, accessKeyId, tls.url),
        NODE_EXTRA_CA_CERTS: tls.certificate,
      };
      const measured = {
        name,
        file: join(model.codeDirectory, "index.mjs"),
        request: firstRequestOf(name),
        environment,
      };
      if (name !== host) return [measured];
      const TABLE = environment[tableVariable(recordTableOf(name) ?? "")] ?? "";
      return [{ ...measured, name: BARE_SDK, file: floor, environment: { ...environment, TABLE } }, measured];
    });
    const measured = new Map(subjects.map((subject) => [subject, [] as ColdStartTimes[]]));
    for (let i = 0; i < times; i += 1)
      for (const [subject, results] of measured) results.push(await measureOnce(subject, i));
    return [...measured]
      .map(([{ name, file, request }, results]) => {
        const content = readFileSync(file);
        return {
          name,
          bytes: content.length,
          zippedBytes: gzipSync(content).length,
          request: `${request.method} ${request.target}`,
          times: results,
        };
      })
      .sort((a, b) => Number(b.name === BARE_SDK) - Number(a.name === BARE_SDK));
  } finally {
    rmSync(dirname(floor), { recursive: true });
    await tls.close();
    await aws.close();
    await run.close();
  }
}

/** Bundles the floor as infra/build/bundle.ts bundles the functions, without what is left out there. */
function bundleFloor(): string {
  const outfile = join(mkdtempSync(join(tmpdir(), "resource-api-")), "index.mjs");
  const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  buildSync({
    entryPoints: [file("./cold-start/bare-sdk.ts")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    mainFields: ["module", "main"],
    alias: { "@aws-sdk/credential-provider-node": file("../lib/repositories/dynamodb/credentials.ts") },
    minify: true,
    legalComments: "none",
  });
  return outfile;
}

/** A request, which is sent with an API key and without a token. */
type FirstRequest = Pick<PreparedRequest, "method" | "target" | "body">;

/**
 * The first request to a function: the example that its area declares, or that reads a record, or of its first route.
 * The function of no area gets an unknown path.
 */
function firstRequestOf(name: string): FirstRequest {
  const keys = routesByArea[name]?.map(({ key }) => key) ?? [];
  const readsRecord = (key: string) => key.startsWith("GET ") && referencesOf(key).length > 0;
  const key = definitions[name]?.firstRequest ?? keys.find(readsRecord) ?? keys[0];
  return key === undefined
    ? { method: "GET", target: "/no-such-path", body: undefined }
    : prepare(key, shownContext);
}

/** The first table of an area whose records have ids. */
function recordTableOf(area: string): string | undefined {
  return Object.entries(definitions[area]?.tables ?? {}).find(([, { hasIds }]) => hasIds)?.[0];
}

interface Subject {
  readonly file: string;
  readonly request: FirstRequest;
  readonly environment: Readonly<Record<string, string>>;
}

async function measureOnce({ file, request, environment }: Subject, index: number): Promise<ColdStartTimes> {
  const module = new URL("./cold-start/child.ts", import.meta.url);
  const times = await messageOfChild<ColdStartTimes>(module, [file, eventOf(request, index)], environment);
  if (times.statusCode >= 500 || times.statusCode === 429)
    throw new Error(`${request.method} ${request.target} returned ${times.statusCode}`);
  return times;
}

/** Each event has its own source address, because repeated failed logins from one address are throttled. */
function eventOf({ method, target, body }: FirstRequest, index: number): string {
  const [path = "", query = ""] = target.split("?");
  const gatewayRequest = {
    method,
    path,
    query,
    rawHeaders: ["host", "localhost", "content-type", "application/json", "x-api-key", apiKey],
    body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
    protocol: "HTTP/1.1",
    sourceIp: `127.0.0.${index + 1}`,
    port: 443,
    receivedAt: new Date(),
    requestId: newRequestId(),
  };
  const origin = { accountId: localAccount, apiId: "bench", stage: "$default", routeKey: "$default" };
  return JSON.stringify(buildEvent(gatewayRequest, origin));
}
