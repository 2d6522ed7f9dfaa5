import type { TestProject } from "vitest/node";
import { allRoutes } from "../../functions/definitions.ts";
import { foreignRequest } from "../../local/api-gateway/foreign.ts";
import type { SlashMode } from "../../local/api-gateway/router.ts";
import { startEngine } from "../../local/database/engine.ts";
import { chooseEngine } from "../../local/database/engine-programs.ts";
import type { LogLine } from "../../local/log.ts";
import { runLocally } from "../../local/run.ts";
import { credentials, secretValues } from "./data/credentials.ts";
import { runFaultScenarios } from "./database/fault-scenarios.ts";
import { faultyEngine } from "./database/faulty-engine.ts";
import { calledRoutes, isComplete, unusedGrants } from "./infra/least-privilege.ts";
import { assembliesOfRun, synthesizeOnce } from "./infra/synthesize-once.ts";
import { patientEnvironment, patientLimits } from "./programs/run.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** How the gateway takes a trailing slash: which of the two API Gateway does is not documented. */
    slashes: SlashMode;
    /** The URLs of a gateway of each kind, to the same functions. */
    gateways: Readonly<Record<SlashMode, string>>;
  }
}

/**
 * Runs the stack as `npm start` does. After all specs, each route must have been called and each grant needed; whatever was
 * run, no role may have refused anything.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { slashes } = project.getProvidedContext();
  const routes = calledRoutes();
  const denied: string[] = [];
  let isQuiet = false;
  const log = ({ source, text }: LogLine) => {
    if (source === "iam") denied.push(text);
    if (!isQuiet) process.stderr.write(`[${source}] ${text}\n`);
  };
  const behind = await startEngine(chooseEngine(), undefined, log);
  const engine = await faultyEngine(behind.endpoint);
  const run = await runLocally({
    app: await synthesizeOnce("dev"),
    dataDirectory: "memory",
    endpoint: engine.url,
    secrets: secretValues,
    environment: {
      AWS_LAMBDA_LOG_LEVEL: "ERROR",
      // Specs read and write more in a second than the tables of a dev stage serve.
      MAX_READ_UNITS: "1000000",
      MAX_WRITE_UNITS: "1000000",
      ...patientEnvironment,
    },
    limits: patientLimits,
    log,
    onResponse: routes.onResponse,
    // As npm start refuses what it must not serve.
    intercept(request, response) {
      const refusal = foreignRequest(request, { host: "127.0.0.1", origins: undefined });
      if (refusal !== undefined) response.writeHead(403).end(refusal);
      return refusal !== undefined;
    },
  });
  const gateways = { lenient: run.url, strict: await run.addGateway("strict") };
  project.provide("target", { kind: "http", url: gateways[slashes], ...credentials });
  project.provide("gateways", gateways);
  project.provide("assemblies", assembliesOfRun());

  async function complaints(): Promise<string[]> {
    // Other projects do not call every route.
    if (!project.name.includes("api ") || !(await isComplete(project))) return denied;
    // Errors caused on purpose are not logged.
    isQuiet = true;
    const wrong = await runFaultScenarios(engine, gateways);
    // A process counts what it reads once it owes 64 units, and specs may spread their reads over many processes.
    for (const { authorizer, pattern, request } of allRoutes)
      for (let reads = 0; reads < 100 && authorizer?.scheme === "apiKey" && request.query; reads += 1)
        await fetch(run.url + pattern, { headers: { "x-api-key": credentials.apiKey } });
    const uncalled = routes.missing().map((key) => `No spec calls ${key}`);
    return [...denied, ...wrong, ...unusedGrants(run), ...uncalled];
  }

  return async () => {
    try {
      const found = await complaints();
      if (found.length > 0) throw new Error(`The specs on the gateway show:\n${found.join("\n")}`);
    } catch (error) {
      // Vitest reports what a teardown throws, and calls the run a success nevertheless.
      process.exitCode = 1;
      throw error;
    } finally {
      await run.close();
      await engine.close();
      await behind.stop();
    }
  };
}
