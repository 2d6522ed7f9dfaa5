import { readFileSync } from "node:fs";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allRoutes } from "../../functions/definitions.ts";
import { resolveAccess } from "../../infra/settings/access.ts";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { operationOf, type Route } from "../../lib/http/route.ts";
import { withTables } from "../../local/database/seed.ts";
import { startLoopback } from "../../local/loopback.ts";
import { defaultApp } from "../../local/stack/synthesize.ts";
import { credentials } from "../support/data/credentials.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { runProgram } from "../support/programs/program.ts";
import { type MemoryRun, runInMemory } from "../support/programs/run.ts";

/** The public lists of records. */
const lists = allRoutes.filter((route) => operationOf(route) === "list" && /^\/\w+$/.test(route.pattern));
const credentialVariables = { API_KEY: credentials.apiKey, ADMIN_PASSWORD: credentials.admin.password };
/** Stops the clock of a program, because a busy machine may take longer than the smoke test allows itself. */
const NODE_OPTIONS = "--import=data:text/javascript,AbortSignal.timeout=()=>new(AbortController)().signal";
const smoke = (args: readonly string[], environment: Record<string, string> = {}) =>
  runProgram("ops/smoke.ts", args, { environment: { NODE_OPTIONS, ...environment } });

let run: MemoryRun;
beforeAll(async () => {
  run = await runInMemory({ limits: { environments: 1 } });
});
afterAll(() => run.close());

describe("npm run smoke", () => {
  it("tests every route, and deletes the records that can be deleted", async () => {
    const { code, output, errors } = await smoke([run.url], credentialVariables);
    expect(code, output).toBe(0);
    expect(errors).toBe(`Testing ${run.url}\n`);
    const rows = output.split("\n").map((line) => line.trim().split(/ {2,}/));
    const passed = new Set(rows.filter(([outcome]) => outcome === "pass").map(([, call]) => call));
    const unreached = allRoutes.filter(({ key }) => !passed.has(key));
    expect(unreached.map(({ key }) => key)).toEqual([]);
    expect(output).toMatch(/\n\d+ passed, 0 failed, 0 not tested, in \d+\.\d s\.\n/);
    expect(output).toMatch(
      /Left behind \(names contain _smoke_\w+\), because no route deletes it: what (POST \/orders, )?POST \/users\/batch, POST \/users\/ created\./,
    );
    for (const { pattern } of lists)
      expect(await (await fetch(run.url + pattern)).text()).not.toContain("smoke");
    for (const secret of Object.values(credentialVariables)) expect(output).not.toContain(secret);
  });

  it("changes nothing in prod", async () => {
    const outputs = { Url: run.url };
    const cloudFormation = await startCloudFormation(`${SERVICE_NAME}-prod`, [[]], outputs);
    const items = async () => {
      const tables = run.model().tables.map(({ request }) => request.TableName);
      const pages = await withTables(run.engine, [], (client) =>
        Promise.all(tables.map((TableName) => client.send(new ScanCommand({ TableName })))),
      );
      const keyOf = ({ pk, sk }: Record<string, unknown>) => JSON.stringify([pk, sk]);
      return pages.map(({ Items = [] }) => new Map(Items.map((item) => [keyOf(item), item])));
    };
    const before = await items();
    const variables = { ...credentialVariables, ...cloudFormation.environment };
    const { code, output } = await smoke(["--stage", "prod"], variables);
    await cloudFormation.close();

    expect(output).toMatch(/\n\d\d passed, 0 failed, \d+ not tested/);
    expect(code).toBe(0);
    for (const untested of ["POST /users/", "POST /users/batch", "POST /users/me/deletion"])
      expect(output).toMatch(new RegExp(`not tested +${untested} +it writes, or reads every record\n`));
    expect(output).toMatch(/pass +GET \S+\{\w+\} +404 /);
    expect(await items()).toEqual(before);
  });

  it("passes without credentials, and reports what it did not test", async () => {
    const { code, output } = await smoke([run.url.replace("http://", "")], { API_KEY: "" });
    expect(code, output).toBe(0);
    expect(output).toMatch(/ 0 failed, [1-9]\d* not tested,/);
    expect(output).toMatch(/not tested +GET \/api\/protected +needs API_KEY\n/);
    expect(output).toMatch(/not tested +GET \/admin\/users +needs ADMIN_PASSWORD\n/);
  });

  it("fails with a wrong password, and still tests the other areas", async () => {
    const { code, output } = await smoke([run.url], { ADMIN_PASSWORD: "wrong" });
    expect(code).toBe(1);
    expect(output).toMatch(/FAIL +POST \/auth\/login +401 +\d+ +expected 200; /);
    expect(output).toMatch(/not tested +GET \/admin\/users +needs ADMIN_PASSWORD\n/);
    expect(output).toMatch(/pass +DELETE \S+ +204 /);
  });
});

describe("npm run smoke on another service", () => {
  it("fails if the responses are not from functions", async () => {
    const server = await startLoopback((request, response) => {
      response.end(request.url === "/openapi.json" ? readFileSync("docs/openapi.json") : "{}");
    });
    const { code, output } = await smoke([server.url]);
    await server.close();
    expect(code).toBe(1);
    expect(output).toMatch(/FAIL +GET \/health +200 +\d+ +no x-request-id: not sent by a function\n/);
    expect(output).toMatch(/\n0 passed, /);
  });

  it("says in one line what is wrong with the address", async () => {
    const { errors } = await smoke([`${run.url}/docs`]);
    expect(errors).toContain(`${run.url}/docs is not the address of a service: it has no /openapi.json.\n`);
    const unreachable = "No service responds there. connect ECONNREFUSED 127.0.0.1:10\n";
    expect(await smoke(["http://127.0.0.1:10"])).toEqual({
      ...{ code: 1, output: "" },
      errors: `Testing http://127.0.0.1:10\n${unreachable}`,
    });
    const missing = "Give either <url> or --stage. See npm run smoke -- --help.\n";
    expect(await smoke([])).toEqual({ code: 2, output: "", errors: missing });
  });
});

it("a service that access rules close is tested and filled with the tokens that its document asks for", async () => {
  const options = { app: defaultApp, stageSettings: { access: "owner" }, withDemo: true };
  const closed = await runInMemory({ ...options, limits: { environments: 1 } });
  const tested = await smoke([closed.url], credentialVariables);
  const cautious = await smoke([closed.url, "--read-only"], credentialVariables);
  await closed.close();

  expect(tested.output).toMatch(/\n\d+ passed, 0 failed, 0 not tested/);
  const rules = resolveAccess(["owner"]);
  const isClosed = ({ tag, key }: Route) => rules[tag]?.create === "owner" && /^POST [^{]+$/.test(key);
  for (const { key } of allRoutes.filter(isClosed))
    expect(tested.output).toMatch(new RegExp(`pass +${key} +401 `));
  expect(cautious.output).toMatch(/\n\d+ passed, 0 failed/);
});
