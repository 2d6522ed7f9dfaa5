import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { definitions, routesByArea } from "../functions/definitions.ts";
import { type PreparedRequest, prepare, referencesOf, shownContext } from "../functions/example-requests.ts";
import { buildOptions } from "../infra/build/bundle.ts";
import { tableVariable } from "../lib/settings.ts";
import { functionEnvironment } from "../local/lambda/environment-variables.ts";
import { runLocally } from "../local/run.ts";
import { messageOfChild } from "./child-processes.ts";
import type { ColdStartTimes } from "./cold-start/child.ts";
import { startTlsProxy } from "./cold-start/tls.ts";
import { gatewayEvent } from "./gateway-event.ts";

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
 * Measures the cold start of every function besides jobs: loads its bundle in a new process with the environment of the
 * stack and an empty database behind TLS, and sends requests.
 *
 * @param times the number of processes per function; the functions take turns, so that other load on the
 *   machine affects all alike
 * @returns the floor, then the functions in the order of the stack
 */
export async function measureColdStarts(times: number): Promise<ColdStart[]> {
  let awsUrl = "";
  const run = await runLocally({
    dataDirectory: "memory",
    secrets: { ApiKeys: apiKey },
    log: () => undefined,
    awsProxy(url) {
      awsUrl = url;
      return url;
    },
  });
  const tls = await startTlsProxy(awsUrl);
  const floor = bundleFloor();
  // The floor reads an item with the permissions of the first function that has a table.
  const host = Object.keys(definitions).find(recordTableOf);
  try {
    const functions = run.model().functions.filter(({ environment }) => environment.JOB === undefined);
    const subjects = functions.flatMap((model) => {
      const name = model.environment.SERVICE_NAME ?? "";
      const { accessKeyId } = run.credentials.issue(model);
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
    await run.close();
  }
}

/** Bundles the floor as the functions are bundled, without what is left out there. */
function bundleFloor(): string {
  const project = fileURLToPath(new URL("..", import.meta.url));
  const outdir = mkdtempSync(join(tmpdir(), "service-"));
  const entryPoints = { index: join(project, "bench/cold-start/bare-sdk.ts") };
  buildSync({ ...buildOptions([], outdir, project), entryPoints });
  return join(outdir, "index.mjs");
}

/** A request, which is sent with an API key and without a token. */
type FirstRequest = Pick<PreparedRequest, "method" | "target" | "body">;

/**
 * The example that the area declares, or that reads a record, or of its first route; else an unknown path.
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
  const { method, target, body } = request;
  // Each has its own source address, because repeated failed logins from one address are throttled.
  const from = { headers: { "x-api-key": apiKey }, sourceIp: `127.0.0.${index + 1}` };
  const event = JSON.stringify(gatewayEvent(method, target, body, from));
  const module = new URL("./cold-start/child.ts", import.meta.url);
  const times = await messageOfChild<ColdStartTimes>(module, [file, event], environment);
  if (times.statusCode >= 500 || times.statusCode === 429)
    throw new Error(`${method} ${target} returned ${times.statusCode}`);
  return times;
}
