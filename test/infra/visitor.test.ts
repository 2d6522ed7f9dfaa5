import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { routesByArea } from "../../functions/definitions.ts";
import { resourcesOf, stageTemplate } from "../support/infra/templates.ts";
import { type MemoryRun, runInMemory } from "../support/programs/run.ts";

/** The visitor's plan in prod, for a service at another address. */
function planFor(url: string): string {
  const functions = resourcesOf(stageTemplate("prod"), "AWS::Lambda::Function");
  const visitor = functions.find(([id]) => id.startsWith("VisitorFunction"))?.[1];
  const pieces: unknown[] = visitor?.Properties.Environment.Variables.PLAN["Fn::Join"][1];
  const stackId = "1a2b3c4d-0000-1111-2222-333344445555";
  const text = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const reference = JSON.stringify(piece);
    if (!reference.includes("AWS::StackId")) return url;
    return reference.includes('"-"') ? stackId.split("-")[0] : stackId;
  });
  return text.join("");
}

/** Runs the visitor as Lambda does. @returns what it requested, with the statuses of the responses */
async function visit(url: string, now: number, event?: { canary: string }) {
  const requests: string[] = [];
  const exports: { handler?(event?: object): Promise<void> } = {};
  let time = now;
  runInNewContext(readFileSync("infra/visitor.cjs", "utf8"), {
    exports,
    process: { env: { PLAN: planFor(url) } },
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

describe("the visitor", () => {
  let run: MemoryRun;
  beforeAll(async () => {
    run = await runInMemory();
  });
  afterAll(() => run.close());

  const { record: visited } = JSON.parse(planFor(""));
  const [, path] = visited.target.split(" ");
  const record = [`POST ${path} 201`, `GET ${path}/1 200`, `DELETE ${path}/1 204`];

  it("registers once, logs in, creates, reads and deletes a record, and calls every function", async () => {
    const first = await visit(run.url, 0);
    expect(first.failure).toBeUndefined();
    expect(first.requests.slice(0, 6)).toEqual([
      ...["POST /auth/login 401", "POST /users/ 201", "POST /auth/login 200", ...record],
    ]);
    const others = [];
    for (const minute of [1, 2, 3, 4, 5]) {
      const { failure, requests } = await visit(run.url, minute * 60_000);
      expect([failure, requests[0]]).toEqual([undefined, "POST /auth/login 200"]);
      others.push(...requests.slice(4));
    }
    const called = others.map((request) => request.split(/[ ?]/)[1]).sort();
    expect(called).toEqual(expect.arrayContaining(["/auth/login", "/no-such-path", "/users", "/users/me"]));
    expect(called).toHaveLength(Object.keys(routesByArea).length + 1);
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
    vi.stubGlobal("fetch", async (target: string) => ({
      status: target.includes("/users/me") ? 502 : 500,
      text: async () => "broken",
      headers: new Headers(),
    }));
    const { failure } = await visit("http://127.0.0.1:1", 0);
    vi.unstubAllGlobals();
    expect(failure?.split("; ").slice(0, 3)).toEqual([
      ...["POST /auth/login: 500 broken", `POST ${path}: 500 broken`, "GET /users/me: 502 broken"],
    ]);
  });

  it("gives a canary a request every second for its five minutes, and leaves the errors to its alarm", async () => {
    const { requests, failure } = await visit(run.url, 0, { canary: "GET /no-such-path" });
    expect([failure, requests.length, requests[0]]).toEqual([undefined, 330, "GET /no-such-path 404"]);
  });
});
