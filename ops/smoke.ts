import { randomUUID } from "node:crypto";
import { runCommand } from "../local/cli/command.ts";
import { createHttpClient } from "./cli/http-client.ts";
import { testItems, testPosts, testSystem, testTodos, testUsers } from "./smoke/areas.ts";
import { probeGateway } from "./smoke/probes.ts";
import { testAccounts, testApiKey, testShop } from "./smoke/protected-areas.ts";
import { smokeReport } from "./smoke/report.ts";
import { SmokeTest } from "./smoke/smoke-test.ts";

/** Together less than a minute. */
const budgetMs = { test: 35_000, probes: 20_000 };

const areas = {
  system: testSystem,
  todos: testTodos,
  users: testUsers,
  accounts: testAccounts,
  shop: testShop,
  posts: testPosts,
  items: testItems,
  "api-key": testApiKey,
};

await runCommand({
  name: "npm run smoke",
  description: `Calls every route of a running service and verifies the responses, in less than a minute.

It creates records named smoke_… and deletes those that can be deleted. Routes that need a credential
are reported as not tested if it is missing. The exit code is 0 if no call failed.

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
  },
  async run({ url, "api-key": apiKey, "admin-password": adminPassword }) {
    const startedAt = performance.now();
    const client = createHttpClient(url, 1);
    const test = new SmokeTest(client, budgetMs.test);
    const context = { test, name: `smoke_${randomUUID().slice(0, 8)}`, apiKey, adminPassword };
    for (const [area, testArea] of Object.entries(areas)) await test.area(area, () => testArea(context));
    test.skipUncalled();
    const isReachable = test.steps.some(({ status }) => status !== undefined);
    const probeResults = isReachable ? await probeGateway(client, budgetMs.probes) : [];
    client.close();
    const seconds = (performance.now() - startedAt) / 1000;
    process.stdout.write(smokeReport(test, probeResults, seconds));
    return test.steps.some(({ outcome }) => outcome === "fail") ? 1 : 0;
  },
});
