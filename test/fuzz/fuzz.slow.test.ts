import { describe, expect, it } from "vitest";
import type { HttpHandler } from "../../lib/http/handler.ts";
import { startEngine } from "../../local/database/engine.ts";
import { chooseEngine } from "../../local/database/engine-programs.ts";
import { inProcess } from "../support/api/in-process.ts";
import { prepareInProcess } from "../support/api/in-process-target.ts";
import { credentials } from "../support/data/credentials.ts";
import { synthesizedApp } from "../support/infra/assembly.ts";
import { type FuzzEvent, fuzzEvent } from "./events.ts";
import { fuzz } from "./fuzz.ts";
import { authorizations } from "./hostile.ts";

const { TEST_SEED: seed = String(Date.now() % 1e9), TEST_EVENTS: count = "2500" } = process.env;

const handlerOf = async (folder: string): Promise<HttpHandler> =>
  (await import(`../../functions/${folder}/index.ts`)).handler;

it(`the handlers with hostile events answer each of them (TEST_SEED=${seed} TEST_EVENTS=${count})`, {
  timeout: 7_200_000,
}, async () => {
  // On the shared engine, other tests use tables of the same names, which the fuzz resets.
  const engine = await startEngine(chooseEngine(), undefined, () => undefined);
  const { target, reset, close } = await prepareInProcess(engine.endpoint, { app: synthesizedApp("dev") });
  try {
    const signIn = inProcess(target);
    const body = JSON.stringify(credentials.admin);
    const { text } = await signIn({ method: "POST", target: "/auth/login", headers: {}, body });
    const tokens = await authorizations(JSON.parse(text).access_token);
    const eventAt = (number: number) => fuzzEvent(Number(seed), number, tokens);
    const result = await fuzz(Number(count), eventAt, handlerOf, reset);
    process.stdout.write(`TEST_SEED=${seed} TEST_EVENTS=${count}: ${JSON.stringify(result)}\n`);
    expect(result.violations).toEqual([]);
    // It reaches the code behind the validation, too.
    for (const status of [200, 201, 204, 400, 401, 404, 405, 412, 422])
      expect(result.statuses).toHaveProperty(String(status));
  } finally {
    await close();
    await engine.stop();
  }
});

describe("the fuzz", () => {
  const event = (number: number): FuzzEvent => fuzzEvent(1, number, [""]);
  const kept: Buffer[] = [];
  const respond = async (headers = {}, statusCode = 200) => ({ statusCode, headers });

  it.each<[string, HttpHandler, string, number?]>([
    ["a handler that throws", async () => Promise.reject(new Error("no")), "threw Error: no"],
    ["a server error", () => respond({}, 500), "got a 500"],
    ["a malformed response", () => respond({ a: "\n" }), "a malformed response"],
    ["headers that are too large", () => respond({ a: "x".repeat(11_000) }), "bytes of headers"],
    ["an event that takes long", busy, "took"],
    ["memory that is kept", keep, "The memory has grown", 20],
  ])("finds %s", async (_, handler, violation, count = 1) => {
    const nothing = async () => {};
    const { violations } = await fuzz(count, event, async () => handler, nothing);
    expect(violations).toEqual([expect.stringContaining(violation)]);
  });

  function keep() {
    kept.push(Buffer.alloc(5_000_000));
    return respond();
  }

  function busy() {
    const before = process.threadCpuUsage();
    while (process.threadCpuUsage(before).user < 250_000);
    return respond();
  }
});
