import { randomUUID } from "node:crypto";
import { runCommand } from "../cli/command.ts";
import { CommandError } from "../cli/errors.ts";
import { routesByArea } from "../functions/definitions.ts";
import { createHttpClient } from "./http-client.ts";
import { AreasTest } from "./smoke/areas.ts";
import { probeGateway } from "./smoke/probes.ts";
import { smokeReport } from "./smoke/report.ts";
import { SmokeTest } from "./smoke/smoke-test.ts";

/** Together less than a minute. */
const budgetMs = { test: 35_000, probes: 20_000 };

await runCommand({
  name: "npm run smoke",
  description: `Calls every route of a running service and verifies the responses, in less than a minute.

It creates records whose names contain smoke_… and deletes those that can be deleted. Routes that need a
credential are reported as not tested if it is missing. The exit code is 0 if no call failed.

Prefer the variables to the options: other users of this machine can see a command's options.`,
  arguments: { url: { type: "url", isRequired: true, description: "URL of the service" } },
  options: {
    "api-key": { type: "string", variable: "API_KEY", placeholder: "key", description: "a static API key" },
    "admin-password": {
      type: "string",
      variable: "ADMIN_PASSWORD",
      placeholder: "password",
      description: "password of the account admin",
    },
    "read-only": {
      type: "boolean",
      description: "call only routes that change nothing, for a service in use",
    },
  },
  async run({ url, "api-key": apiKey, "admin-password": adminPassword, "read-only": isReadOnly = false }) {
    const startedAt = performance.now();
    const client = createHttpClient(url, 1);
    await client.send({ method: "GET", target: "/" }).catch((error: Error) => {
      client.close();
      throw new CommandError(`No service answers there. ${error.message}`, { cause: error });
    });
    const test = new SmokeTest(client, budgetMs.test);
    const unique = `_smoke_${randomUUID().slice(0, 8)}`;
    const areas = new AreasTest({ test, unique, apiKey, adminPassword, isReadOnly });
    for (const area of Object.keys(routesByArea)) {
      process.stderr.write(`Testing ${area}\n`);
      await areas.testArea(area);
    }
    await areas.testProtocol();
    await areas.deleteRecords();
    test.skipUncalled(isReadOnly ? "it writes, or reads every record" : "an earlier call failed");
    const probeResults = isReadOnly ? [] : await probeGateway(client, budgetMs.probes);
    client.close();
    const seconds = (performance.now() - startedAt) / 1000;
    process.stdout.write(smokeReport(test.steps, areas.leftBehind, unique, probeResults, seconds));
    return test.steps.some(({ outcome }) => outcome === "fail") ? 1 : 0;
  },
});
