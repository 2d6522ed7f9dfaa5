import { runInNewContext } from "node:vm";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, describe, expect, it, vi } from "vitest";
import { gatewayFunctions } from "../../functions/definitions.ts";
import type { Trial, TrialCycle } from "../../functions/trial-requests.ts";
import { withTables } from "../../local/database/seed.ts";
import { resourcesOf, stageTemplate } from "../support/infra/templates.ts";
import { runInMemory } from "../support/programs/run.ts";

const functions = resourcesOf(stageTemplate("prod"), "AWS::Lambda::Function");
const { Properties: visitor } = functions.find(([id]) => id.startsWith("VisitorFunction"))?.[1] ?? {};
const code: string = visitor?.Code.ZipFile;
const PLAN = JSON.parse(/^const PLAN = (.*);$/m.exec(code)?.[1] ?? "");

/** The visitor's account in prod. */
const pieces: unknown[] = visitor?.Environment.Variables.ACCOUNT["Fn::Join"][1];
const accountPieces = pieces.map((piece) => {
  if (typeof piece === "string") return piece;
  return JSON.stringify(piece).includes('"-"') ? "1a2b3c4d" : "1a2b3c4d-0000-1111-2222-333344445555";
});
const ACCOUNT = accountPieces.join("");

/** Runs the visitor as Lambda does. @returns what it requested, with the statuses of the responses */
async function visit(url: string, now: number, event?: { canary: string }, seconds = PLAN.canarySeconds) {
  const requests: string[] = [];
  const exports: { handler?(event?: object): Promise<void> } = {};
  let time = now;
  runInNewContext(code.replace(`"canarySeconds":${PLAN.canarySeconds}`, `"canarySeconds":${seconds}`), {
    exports,
    process: { env: { URL: url, ACCOUNT } },
    Date: { now: () => time },
    URL,
    AbortSignal: { timeout: () => undefined },
    setTimeout(resolve: () => void, milliseconds: number) {
      time += milliseconds;
      setImmediate(resolve);
    },
    async fetch(target: string, options: RequestInit) {
      const response = await fetch(target, options);
      requests.push(`${options.method} ${target.slice(url.length)} ${response.status}`);
      return response;
    },
  });
  const failure = await exports.handler?.(event).then(
    () => undefined,
    ({ message }: Error) => message,
  );
  return { requests, failure };
}

/** Runs the visitor with these responses. @returns how it failed */
async function visitWith(respond: (target: string) => Response) {
  vi.stubGlobal("fetch", async (target: string) => respond(target));
  const { failure } = await visit("http://127.0.0.1:1", 0);
  vi.unstubAllGlobals();
  return failure;
}

describe("the visitor", async () => {
  const run = await runInMemory();
  afterAll(() => run.close());

  // Access rules of areas can leave no record that every account may write, or read.
  const cycle: readonly { target: string }[] = PLAN.record?.requests ?? [];
  const statuses = { POST: 201, GET: 200, DELETE: 204 };
  const record = cycle.map(({ target }) => {
    const [method, path = ""] = target.split(" ");
    return `${method} ${path.replace(PLAN.placeholders.id, "1")} ${statuses[method as keyof typeof statuses]}`;
  });

  it("registers once, logs in, creates, reads and deletes a record, and calls every function", async () => {
    const first = await visit(run.url, 0);
    expect(first.failure).toBeUndefined();
    expect(first.requests.slice(0, 3 + record.length)).toEqual([
      ...["POST /auth/login 401", "POST /users/ 201", "POST /auth/login 200", ...record],
    ]);
    const others = [];
    for (const minute of [1, 2, 3, 4, 5]) {
      const { failure, requests } = await visit(run.url, minute * 60_000);
      expect([failure, requests[0]]).toEqual([undefined, "POST /auth/login 200"]);
      others.push(...requests.slice(1 + record.length));
    }
    const called = others.map((request) => request.split(/[ ?]/)[1]).sort();
    expect(called).toEqual(expect.arrayContaining(["/auth/login", "/no-such-path", "/users/me"]));
    expect(called).toHaveLength(gatewayFunctions.length);
  });

  it("sends no metrics, which would cost more than its requests, unless one fails", async () => {
    const before = run.lines.length;
    await visit(run.url, 0);
    const lines = run.lines.slice(before).filter(({ text }) => text.includes('"request"'));
    expect(lines.length).toBeGreaterThan(3);
    for (const { text } of lines.filter((line) => !line.text.includes("cold_start")))
      expect(text).not.toContain("_aws");
  });

  it("tries everything, and says all that failed", async () => {
    const statusOf = (target: string) => (target.includes("/users/me") ? 502 : 500);
    const failure = await visitWith((target) => new Response("broken", { status: statusOf(target) }));
    expect(failure?.split("; ").slice(0, cycle.length > 0 ? 3 : 2)).toEqual([
      "POST /auth/login: 500 broken",
      ...cycle.slice(0, 1).map(({ target }) => `${target}: 500 broken`),
      "GET /users/me: 502 broken",
    ]);
  });

  it.each([
    ["is not registered", 401, false],
    ["is signed in", 200, cycle.length > 0],
  ])("whose records are refused, and whose account %s (%d at login), fails: %s", async (_, login, fails) => {
    const statusOf = (target: string) => (target.includes("/auth/login") ? login : 403);
    const body = '{"access_token":"x"}';
    const failure = await visitWith((target) => new Response(body, { status: statusOf(target) }));
    expect(failure !== undefined).toBe(fails);
  });

  it("gives a canary a request every second for its five minutes, and leaves the errors to its alarm", async () => {
    const { requests, failure } = await visit(run.url, 0, { canary: "fallback" });
    const ofCanary = requests.filter((request) => !request.includes("/auth/login"));
    expect([failure, ofCanary.length, ofCanary[0]]).toEqual([undefined, 330, "GET /no-such-path 404"]);
  });

  const writing = Object.keys(PLAN.areas).filter((area) => PLAN.areas[area].cycles.length > 0);
  it.each(writing)("writes to a canary of %s, and leaves what stays every ten seconds", async (area) => {
    const { cycles, records } = PLAN.areas[area];
    // As the trial does before.
    await withTables(run.engine, run.model().tables, async (client, findTable) => {
      for (const [table, Item] of Object.entries(records as Trial["records"]))
        await client.send(new PutCommand({ TableName: findTable(table), Item }));
    });
    const { requests, failure } = await visit(run.url, 0, { canary: area }, 11);
    expect(failure).toBeUndefined();
    const writes = requests.filter((request) => !/^GET|\/auth\/login/.test(request));
    expect(writes.filter((request) => !/ 20[014]$/.test(request))).toEqual([]);
    const expected = (cycles as TrialCycle[]).map(({ leaves, requests }) => {
      const changing = requests.filter(({ target }) => !target.startsWith("GET")).length;
      return changing * (leaves ? 2 : 11);
    });
    expect(writes).toHaveLength(expected.reduce((sum, each) => sum + each, 0));
  });
});
