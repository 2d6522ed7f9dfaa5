import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mix } from "../../bench/load/requests.ts";
import { startLoopback } from "../../local/loopback.ts";
import { credentials } from "../support/data/credentials.ts";
import { runProgram } from "../support/programs/program.ts";
import { type MemoryRun, runInMemory } from "../support/programs/run.ts";

const loaded = mix.map(({ route }) => route);
const admin = { ADMIN_PASSWORD: credentials.admin.password };

describe("npm run load", () => {
  let run: MemoryRun;
  beforeAll(async () => {
    run = await runInMemory({ limits: { environments: 1 } });
  });
  afterAll(() => run.close());

  async function expectNoRecordsLeft() {
    for (const path of ["/users", ...loaded.flatMap((key) => /^GET (\/\w+)$/.exec(key)?.[1] ?? [])])
      expect(await (await fetch(run.url + path)).text()).not.toContain("load_");
  }

  it("measures every route with the given number of requests, and removes its records", async () => {
    const args = [run.url, "--seconds", "600", "--connections", "2", "--requests", "150"];
    const { code, output, errors } = await runProgram("bench/load.ts", args, { environment: admin });
    expect(code, output).toBe(0);
    const [heading, ...rows] = output.trimEnd().split("\n");
    expect(heading).toMatch(/^Route +Share +Requests +\/s +p50 ms +p90 ms +p99 ms +max ms +Errors$/);
    expect(rows.map((row) => row.split(/ {2,}/)[0])).toEqual(expect.arrayContaining([...loaded, "all"]));
    const [, count, , p50, p90, p99, max] = (rows.at(-1) ?? "").split(/ {2,}/).map(Number);
    expect(count).toBe(150);
    const times = [p50, p90, p99, max];
    expect(times).toEqual(times.toSorted((a, b) => Number(a) - Number(b)));
    expect(errors).toMatch(/\n?\d+ records removed(; what POST .* created remains)?\n$/);
    await expectNoRecordsLeft();
  });

  it("writes its figures to a file, and fails beyond its limits", async () => {
    const directory = await mkdtemp(join(tmpdir(), "load-"));
    const json = join(directory, "load.json");
    const load = (...args: string[]) => runProgram("bench/load.ts", [run.url, "--requests", "100", ...args]);
    const first = await load("--json", json, "--max-p99", "60000");
    const second = await load("--max-p99", "1");
    const third = await load("--requests", "99", "--max-p99", "60000");
    const figures = JSON.parse(await readFile(json, "utf8"));
    await rm(directory, { recursive: true });

    expect([first, second, third].map(({ code }) => code)).toEqual([0, 1, 1]);
    expect(figures).toMatchObject({ connections: 8, all: { requests: 100, errors: {} } });
    expect(second.errors).toMatch(/\n1 % of the responses took [\d.]+ ms or more, longer than 1 ms\.\n$/);
    expect(third.errors).toContain("99 requests are too few for --max-p99, which needs 100.");
  });

  it("sends nothing that needs the administrator without its password", async () => {
    const { code, output, errors } = await runProgram("bench/load.ts", [run.url, "--requests", "50"]);
    expect(code).toBe(0);
    const [, left] = /^Left out without --admin-password: (.*)$/m.exec(errors) ?? [];
    for (const route of left?.split(", ") ?? []) expect(output).not.toContain(`${route} `);
    expect(left?.includes("POST /orders") ?? false).toBe(loaded.includes("POST /orders"));
    await expectNoRecordsLeft();
  });

  it("stops after the given time", async () => {
    const { code, output } = await runProgram("bench/load.ts", [run.url, "--seconds", "1"]);
    expect(code).toBe(0);
    expect(output).toMatch(/^all +[1-9]/m);
  });

  it("still reports and removes its records after Ctrl-C", async () => {
    const args = [run.url, "--seconds", "600"];
    const { code, output } = await runProgram("bench/load.ts", args, {
      environment: admin,
      interruptAt: /^1 s: /m,
    });
    expect(code).toBe(130);
    expect(output).toMatch(/^all +[1-9]/m);
    await expectNoRecordsLeft();
  });

  it("fails with a wrong password", async () => {
    const { code, output, errors } = await runProgram("bench/load.ts", [run.url], {
      environment: { ADMIN_PASSWORD: "no" },
    });
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toMatch(/^POST \/auth\/login returned 401: .*\n$/m);
    await expectNoRecordsLeft();
  });
});

describe("npm run load on another service", () => {
  it("fails on unexpected responses and reports their status", async () => {
    const server = await startLoopback((request, response) => {
      request.resume();
      const expected = { POST: 201, DELETE: 204 }[request.method ?? ""];
      response.writeHead(request.url?.startsWith("/products?") ? 200 : (expected ?? 500), {
        location: "/users/1",
      });
      response.end(expected === 204 ? undefined : '{"items":[]}');
    });
    const { code, output } = await runProgram("bench/load.ts", [server.url, "--requests", "60"]);
    await server.close();
    expect(code).toBe(1);
    expect(output).toMatch(/^GET \/users\/\{id\} .* 500 ×\d+$/m);
    expect(output).toMatch(/^all .* 500 ×\d+$/m);
  });

  it.each([
    [
      2,
      ["https://api.example.com"],
      /^api\.example\.com is not this machine\. .* add --yes-this-is-mine\. See npm run load -- --help\.\n$/,
    ],
    [2, ["http://127.0.0.1.example.com"], /^127\.0\.0\.1\.example\.com is not this machine\. /],
    [1, ["http://127.0.0.1:9"], /^127\.0\.0\.1:9: connect ECONNREFUSED 127\.0\.0\.1:9\n$/m],
  ])("exits with %i and one line for %j", async (expected, args, message) => {
    const { code, output, errors } = await runProgram("bench/load.ts", args);
    expect({ code, output }).toEqual({ code: expected, output: "" });
    expect(errors).toMatch(message);
  });
});
