import { randomUUID } from "node:crypto";
import { readArguments, run } from "../local/cli/command-line.ts";
import { createClient } from "./cli/http-client.ts";
import { visitItems, visitPosts, visitSystem, visitTodos, visitUsers } from "./smoke/areas.ts";
import { probeGateway } from "./smoke/probes.ts";
import { visitAccounts, visitApiKey, visitShop } from "./smoke/protected-areas.ts";
import { report } from "./smoke/report.ts";
import { Walk } from "./smoke/smoke-test.ts";

const help = `npm run smoke -- URL: walks through every area of a running service, in under a minute.

It creates records named smoke_…, checks every answer, and removes what can be removed. Parts that need a
credential are reported as not tried when it is not given. The exit code is 0 when nothing failed.

  --api-key         a static key (or the variable API_KEY)
  --admin-password  the password of the account admin (or the variable ADMIN_PASSWORD, which other users of the
                    machine cannot see)
  --help            this
`;

const options = { "api-key": { type: "string" }, "admin-password": { type: "string" } } as const;
/** Together under a minute. */
const budgetMs = { walk: 35_000, probes: 20_000 };

await run(async () => {
  const given = readArguments(process.argv.slice(2), options, help);
  if (given === undefined) return 0;
  const { url, values } = given;
  const started = performance.now();
  const client = createClient(url, 1);
  const walk = new Walk(client, budgetMs.walk);
  const visit = {
    walk,
    name: `smoke_${randomUUID().slice(0, 8)}`,
    apiKey: values["api-key"] ?? (process.env.API_KEY || undefined),
    adminPassword: values["admin-password"] ?? (process.env.ADMIN_PASSWORD || undefined),
  };
  const areas = {
    system: visitSystem,
    todos: visitTodos,
    users: visitUsers,
    accounts: visitAccounts,
    shop: visitShop,
    posts: visitPosts,
    items: visitItems,
    "api-key": visitApiKey,
  };
  for (const [area, visitArea] of Object.entries(areas)) await walk.area(area, () => visitArea(visit));
  walk.skipTheRest();
  const isAnswering = walk.steps.some(({ status }) => status !== undefined);
  const findings = isAnswering ? await probeGateway(client, budgetMs.probes) : [];
  client.close();
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write(report(walk, findings, seconds));
  return walk.steps.some(({ outcome }) => outcome === "fail") ? 1 : 0;
});
