import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { credentials } from "./support/data/credentials.ts";
import { codeBlocksOf } from "./support/markdown.ts";
import { copyWholeProject } from "./support/programs/project-copy.ts";
import { startProgram } from "./support/programs/started.ts";

const [add = "", ...others] = codeBlocksOf("docs/your-own-service.md", "sh");
const check = others.pop() ?? "";
const remove = others.join("");
const checks = check.trim().split("\n");
/** A copy's tests take as long as those of the project. */
const TIMEOUT_MS = 3_600_000;

const couponsRoutes = ["GET /coupons", "POST /coupons", "GET /coupons/{id}", "DELETE /coupons/{id}"];
const secrets = { ADMIN_PASSWORD: credentials.admin.password, API_KEY: credentials.apiKey };

it("docs/your-own-service.md shows how to add, remove and check an area", () => {
  expect(add).toContain("cp -r examples/coupons");
  expect(others.map((commands) => /^rm -r (\S+)/.exec(commands)?.[1])).toEqual([
    ...["functions/items", "functions/todos", "functions/posts", "functions/orders", "examples/shop"],
  ]);
  expect(check).toContain("npm test");
});

describe.each([
  { change: "with coupons", commands: add, coupons: 201, items: 200 },
  { change: "without items", commands: others[0] ?? "", coupons: 404, items: 404 },
  { change: "without all but its base", commands: remove, coupons: 404, items: 404 },
])("a copy of the project $change", ({ commands, coupons, items }) => {
  let copy: string;

  async function run(script: string, environment: Readonly<Record<string, string>> = {}) {
    const child = spawn("bash", ["-ec", `exec 2>&1\n${script}`], {
      cwd: copy,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
    return { code: code as number | null, output };
  }

  beforeAll(async () => {
    copy = join(mkdtempSync(join(tmpdir(), "own-areas-test-")), "project");
    copyWholeProject(copy);
    expect(await run(commands)).toEqual({ code: 0, output: "" });
  });
  afterAll(() => rmSync(join(copy, ".."), { recursive: true }));

  it.each(checks)(
    "passes %s",
    async (command) => {
      const { code, output } = await run(command);
      expect(code, output.slice(-20_000)).toBe(0);
    },
    TIMEOUT_MS,
  );

  it("starts, and each route responds", async () => {
    const environment = { DATA_DIR: "memory", PORT: "0", API_KEYS: secrets.API_KEY, ...secrets };
    const service = startProgram(join(copy, "local/start.ts"), environment);
    const [, url = ""] = await service.printed(/Ready at (\S+)/);
    const statusOf = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).status;
    const body = JSON.stringify({ code: "MAY10", percent: 10 });
    const smoke = await run(`npm run --silent smoke -- ${url}`, secrets);
    const statuses = [await statusOf("/coupons", { method: "POST", body }), await statusOf("/items")];
    await service.end("SIGTERM");

    expect(smoke.code, smoke.output).toBe(0);
    expect(couponsRoutes.filter((route) => smoke.output.includes(` ${route} `))).toEqual(
      coupons === 404 ? [] : couponsRoutes,
    );
    expect(statuses).toEqual([coupons, items]);
  });
});
