import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { definitions, routesByArea } from "../functions/definitions.ts";
import { type PreparedRequest, prepare, referencesOf, shownContext } from "../functions/example-requests.ts";
import { buildEvent, newRequestId } from "../local/api-gateway/event.ts";
import { functionEnvironment } from "../local/lambda/environment-variables.ts";
import { runLocally } from "../local/run.ts";
import type { ColdStartTimes } from "./cold-start/child.ts";

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

/**
 * Measures the cold start of every function besides jobs: loads its bundle in a new process with the environment of the
 * stack and an empty database, and sends requests.
 *
 * @param times the number of processes per function; the functions take turns, so that other load on the
 *   machine affects all alike
 * @returns the functions in the order of the stack
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
  try {
    const functions = run.model().functions.filter(({ environment }) => environment.JOB === undefined);
    const subjects = functions.map((model) => {
      const name = model.environment.SERVICE_NAME ?? "";
      const { accessKeyId } = run.credentials.issue(model);
      return {
        name,
        file: join(model.codeDirectory, "index.mjs"),
        request: firstRequestOf(name),
        environment: functionEnvironment(model, accessKeyId, awsUrl),
      };
    });
    const measured = new Map(subjects.map((subject) => [subject, [] as ColdStartTimes[]]));
    for (let i = 0; i < times; i += 1)
      for (const [subject, results] of measured) results.push(await measureOnce(subject, i));
    return [...measured].map(([{ name, file, request }, results]) => {
      const content = readFileSync(file);
      return {
        name,
        bytes: content.length,
        zippedBytes: gzipSync(content).length,
        request: `${request.method} ${request.target}`,
        times: results,
      };
    });
  } finally {
    await run.close();
  }
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

interface Subject {
  readonly file: string;
  readonly request: FirstRequest;
  readonly environment: Readonly<Record<string, string>>;
}

async function measureOnce({ file, request, environment }: Subject, index: number): Promise<ColdStartTimes> {
  const { method, target, body } = request;
  const [path = "", query = ""] = target.split("?");
  const event = buildEvent(
    {
      ...{ method, path, query, protocol: "HTTP/1.1", port: 443 },
      rawHeaders: ["host", "localhost", "content-type", "application/json", "x-api-key", apiKey],
      body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
      // Each has its own source address, because repeated failed logins from one address are throttled.
      sourceIp: `127.0.0.${index + 1}`,
      receivedAt: new Date(),
      requestId: newRequestId(),
    },
    { apiId: "bench", routeKey: "$default" },
  );
  const module = new URL("./cold-start/child.ts", import.meta.url);
  const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
  const child = fork(module, [file, JSON.stringify(event)], {
    env: environment,
    execArgv: [],
    stdio: [...stdio],
  });
  const ended = once(child, "close");
  const [times] = (await Promise.race([once(child, "message"), ended])) as [ColdStartTimes | number | null];
  await ended;
  if (times === null || typeof times === "number") throw new Error(`${file} ended without a result`);
  if (times.statusCode >= 500 || times.statusCode === 429)
    throw new Error(`${method} ${target} returned ${times.statusCode}`);
  return times;
}
