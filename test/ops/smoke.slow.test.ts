import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { allRoutes, routesByArea } from "../../functions/definitions.ts";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { operationOf } from "../../lib/http/route.ts";
import { withTables } from "../../local/database/seed.ts";
import { startLoopback } from "../../local/loopback.ts";
import { defaultApp } from "../../local/stack/synthesize.ts";
import { credentials } from "../support/data/credentials.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { runProgram } from "../support/programs/program.ts";
import { type MemoryRun, runInMemory } from "../support/programs/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** The public lists of records. */
const lists = allRoutes
  .filter((route) => operationOf(route) === "list" && /^\/\w+$/.test(route.pattern))
  .map(({ pattern }) => pattern);
const credentialVariables = { API_KEY: credentials.apiKey, ADMIN_PASSWORD: credentials.admin.password };
/** Stops the clock of a program, because a busy machine may take longer than the smoke test allows itself. */
const NODE_OPTIONS = "--import=data:text/javascript,performance.now=()=>0";
const smoke = (args: readonly string[], environment: Record<string, string> = {}) =>
  runProgram("ops/smoke.ts", args, { environment: { NODE_OPTIONS, ...environment } });

describe("npm run smoke", () => {
  let run: MemoryRun;
  beforeAll(async () => {
    run = await runInMemory({ limits: { environments: 1 } });
  });
  afterAll(() => run.close());

  const namesLeft = async (path: string) => JSON.stringify(await (await fetch(run.url + path)).json());

  it("tests every route, and deletes the records that can be deleted", async () => {
    const { code, output, errors } = await smoke([run.url], credentialVariables);
    expect(code, output).toBe(0);
    expect(errors).toBe(
      Object.keys(routesByArea)
        .map((area) => `Testing ${area}\n`)
        .join(""),
    );
    const rows = output.split("\n").map((line) => line.trim().split(/ {2,}/));
    const passed = new Set(rows.filter(([outcome]) => outcome === "pass").map(([, , call]) => call));
    const missed = allRoutes.filter(({ key }) => !passed.has(key));
    expect(
      missed.map(({ key }) => key),
      "routes that no call in ops/smoke/ reaches",
    ).toEqual([]);
    expect(output).toMatch(/\n\d+ passed, 0 failed, 0 not tested, in \d+\.\d s\.\n/);
    expect(output).toMatch(
      /Left behind \(names contain _smoke_\w+\), because no route deletes it: what POST \/users\/ created, what POST \/users\/batch created(, \/orders\/1)?\./,
    );
    for (const path of lists) expect(await namesLeft(path)).not.toContain("smoke");
    expect(output).not.toContain(credentials.apiKey);
    expect(output).not.toContain(credentials.admin.password);
  });

  it("changes nothing in a stage whose setting says so", async () => {
    const outputs = { Url: run.url, SmokeTest: "read-only" };
    const logs = ["AWS::Logs::LogGroup", "SystemLogs0A1B2C3D", "system-logs"] as const;
    const cloudFormation = await startCloudFormation(`${SERVICE_NAME}-dev`, [[logs]], outputs);
    // What CloudWatch has, by the AWS CLI: the line, the metrics, and an alarm without a value.
    const directory = temporaryDirectory(onTestFinished);
    const answers = `case "$*" in
      "logs filter-log-events --log-group-name system-logs "*) echo '{"events":[{}]}' ;;
      "cloudwatch list-metrics --namespace ${SERVICE_NAME}/dev "*) echo '{"Metrics":[{}]}' ;;
      *) echo '{"MetricAlarms":[{"AlarmName":"a","StateValue":"OK"}]}' ;;
    esac`;
    writeFileSync(join(directory, "aws"), `#!/bin/sh\n${answers}\n`, { mode: 0o755 });
    const items = async () => {
      const tables = run.model().tables.map(({ request }) => request.TableName);
      const pages = await withTables(run.engine, [], (client) =>
        Promise.all(tables.map((TableName) => client.send(new ScanCommand({ TableName })))),
      );
      const keyOf = ({ pk, sk }: Record<string, unknown>) => JSON.stringify([pk, sk]);
      return pages.map(({ Items = [] }) => new Map(Items.map((item) => [keyOf(item), item])));
    };
    const before = await items();
    const path = { PATH: `${directory}:${process.env.PATH}` };
    const variables = { ...credentialVariables, ...cloudFormation.environment, ...path };
    const { code, output } = await smoke(["--stage", "dev", "--observability"], variables);
    await cloudFormation.close();

    expect(output).toMatch(/\n\d\d passed, 0 failed, \d+ not tested/);
    expect(code).toBe(0);
    for (const call of ["logs", "metrics", "alarms"])
      expect(output).toMatch(new RegExp(`pass +observability +${call} *\n`));
    expect(output).toMatch(/not tested +observability +traces +no function is traced\n/);
    for (const untested of ["users +POST /users", "users +GET /users/search", "users +DELETE /users/{id}"])
      expect(output).toMatch(
        new RegExp(`not tested +${untested.replaceAll(/[{}]/g, "\\$&")} +it writes, or reads every record\n`),
      );
    expect(output).toMatch(/pass +users +GET \/users\/\{id\} +404 /);
    expect(await items()).toEqual(before);
  });

  it("creates only records that a route deletes with --leave-nothing", async () => {
    const counts = () => Promise.all(lists.map(namesLeft));
    const before = await counts();
    const { code, output } = await smoke([run.url, "--leave-nothing"], credentialVariables);

    expect(output).toMatch(/\n\d\d passed, 0 failed, \d not tested/);
    expect(output).not.toContain("Left behind");
    expect(output).toMatch(/pass +users +DELETE \/users\/\{id\} +204 /);
    expect(output).toMatch(/not tested +users +GET \/users\/search +no route deletes what/);
    expect(code).toBe(0);
    expect(await counts()).toEqual(before);
  });

  it("passes without credentials, reports what it did not test, and takes credentials as options", async () => {
    const { API_KEY, ADMIN_PASSWORD } = credentialVariables;
    const [lenient, strict] = await Promise.all([
      smoke([run.url.replace("http://", "")]),
      smoke([await run.addGateway("strict"), "--api-key", API_KEY, "--admin-password", ADMIN_PASSWORD]),
    ]);
    expect(lenient.output).toMatch(/ 0 failed, [1-9]\d* not tested,/);
    for (const untested of [
      /api-key +GET \/api\/v1\/users +needs --api-key\n/,
      /accounts +GET \/admin\/users +needs --admin-password\n/,
    ])
      expect(lenient.output).toMatch(new RegExp(`not tested +${untested.source}`));
    expect(strict.output).toMatch(/ 0 failed, 0 not tested,/);
    expect([lenient.code, strict.code]).toEqual([0, 0]);
  });

  it("fails with a wrong password, and still tests the other areas", async () => {
    const { code, output } = await smoke([run.url], { ADMIN_PASSWORD: "wrong" });
    expect(code).toBe(1);
    expect(output).toMatch(/FAIL +login +POST \/auth\/login +401 +\d+ +expected 200; /);
    expect(output).toMatch(/not tested +accounts +GET \/admin\/users +the login failed\n/);
    expect(output).toMatch(/pass +users +DELETE \/users\/\{id\} +204 /);
  });
});

describe("npm run smoke on another service", () => {
  it("fails if the responses are not from functions", async () => {
    const server = await startLoopback((_, response) => response.end("{}"));
    const { code, output } = await smoke([server.url]);
    await server.close();
    expect(code).toBe(1);
    expect(output).toMatch(/FAIL +system +GET \/health +200 +\d+ +no x-request-id: not sent by a function\n/);
    expect(output).toMatch(/\n0 passed, /);
  });

  it("says in one line that a page is not the address, with the result as JSON else", async () => {
    const server = await startLoopback((request, response) => {
      response.writeHead(request.url?.startsWith("/docs/") ? 404 : 200).end("{}");
    });
    const page = await smoke([`${server.url}/docs`]);
    const result = await smoke([server.url, "--json"]);
    await server.close();
    expect(page.errors).toBe(`${server.url}/docs is not the address of a service. Is it ${server.url}?\n`);
    expect(JSON.parse(result.output).steps).toContainEqual(
      expect.objectContaining({ outcome: "fail", call: "GET /health" }),
    );
  });

  it("says in one line that nothing answers", async () => {
    const { code, output, errors } = await smoke(["http://127.0.0.1:9"]);
    expect({ code, output, errors }).toEqual({
      code: 1,
      output: "",
      errors: "No service responds there. 127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9\n",
    });
  });

  it("needs a URL or a stage", async () => {
    const { code, output, errors } = await smoke([]);
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(errors).toBe("Give either <url> or --stage. See npm run smoke -- --help.\n");
    expect(await smoke(["http://127.0.0.1:9", "--observability"])).toMatchObject({
      ...{ code: 2, errors: "--observability needs --stage. See npm run smoke -- --help.\n" },
    });
  });
});

describe("a service that access rules close", () => {
  it("is tested and filled with the tokens that its document asks for", async () => {
    const run = await runInMemory({
      app: defaultApp,
      stageSettings: { access: "owner" },
      withDemo: true,
      limits: { environments: 1 },
    });
    const tested = await smoke([run.url], credentialVariables);
    const cautious = await smoke([run.url, "--read-only"], credentialVariables);
    await run.close();

    expect(tested.output).toMatch(/\n\d+ passed, 0 failed, 0 not tested/);
    expect(tested.output).toMatch(/pass +users +POST \/users +401 /);
    expect(cautious.output).toMatch(/\n\d+ passed, 0 failed/);
  });
});
