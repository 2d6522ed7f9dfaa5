import { BroadcastChannel } from "node:worker_threads";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { runFixture } from "../fixtures/run.ts";

const run = await runFixture({ limits: { environments: 3, idleMs: 20 } });
afterAll(() => run.close());

const get = (path: string) => fetch(run.url + path);

async function environmentOf(path: string): Promise<string> {
  const { environment } = (await (await get(path)).json()) as { environment: string };
  return environment;
}

function createHold() {
  const channel = new BroadcastChannel("probe");
  let count = 0;
  channel.onmessage = ({ data }: { readonly data?: unknown }) => {
    if (String(data).startsWith("holding")) count += 1;
  };
  return {
    /** Resolves when this many further requests are running. */
    more(requests: number): Promise<true> {
      const wanted = count + requests;
      return vi.waitUntil(() => count >= wanted, { timeout: 600_000, interval: 1 });
    },
    release: () => channel.postMessage("release"),
    close: () => channel.close(),
  };
}

const hold = createHold();
afterEach(() => hold.release());
afterAll(() => hold.close());

/** The environments of three requests at once. @param act while they are running */
async function holdAll(act = () => {}): Promise<string[]> {
  const areHeld = hold.more(3);
  const held = [1, 2, 3].map(() => environmentOf("/probe/hold"));
  await areHeld;
  act();
  hold.release();
  return Promise.all(held);
}

describe("execution environments", () => {
  it("handle one request at a time, and start on demand up to the limit", async () => {
    let waiting: Promise<string> | undefined;
    const environments = await holdAll(() => {
      waiting = environmentOf("/probe/environment");
    });
    expect(new Set(environments).size).toBe(3);
    expect(environments).toContain(await waiting);
  });

  it("end when they are idle", async () => {
    const first = new Set(await holdAll());
    const left = async () => (await holdAll()).filter((each) => first.has(each)).length;
    await expect.poll(left, { timeout: 60_000 }).toBeLessThan(3);
  });

  it("are reused when they are idle", async () => {
    const first = await environmentOf("/probe/environment");
    expect(await environmentOf("/probe/environment")).toBe(first);
  });

  it("handle 1,000 parallel requests, of which most wait", async () => {
    const statuses = Array.from({ length: 1_000 }, async () => {
      const response = await get("/probe/environment");
      await response.arrayBuffer();
      return response.status;
    });
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
  });

  it("have Lambda's environment variables and the template's, and none of this process", async () => {
    const variables = (await (await get("/probe/variables")).json()) as Record<string, string>;
    expect(variables).toMatchObject({
      AWS_REGION: "us-east-1",
      AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "128",
      AWS_ACCESS_KEY_ID: expect.stringMatching(/^ASIA[A-Z0-9]{16}$/),
      AWS_ENDPOINT_URL_DYNAMODB: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      NOTES_TABLE: expect.stringMatching(/^fixture-dev-Notes/),
      TZ: ":UTC",
      _X_AMZN_TRACE_ID: expect.stringMatching(/^Root=/),
    });
    expect(variables.AWS_LAMBDA_FUNCTION_NAME).toMatch(/^fixture-dev-Probe/);
    for (const own of ["PATH", "HOME", "NODE_ENV", "VITEST"]) expect(variables).not.toHaveProperty(own);
  });

  it("get Lambda's context object", async () => {
    const context = (await (await get("/probe/context")).json()) as { readonly remaining: number };
    expect(context).toMatchObject({
      functionName: expect.stringMatching(/^fixture-dev-Probe/),
      memoryLimitInMB: "128",
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(context.remaining).toBeGreaterThan(15_000);
    expect(context.remaining).toBeLessThanOrEqual(30_000);
  });

  it("log line by line, before the response", async () => {
    await get("/probe/output");
    expect(run.lines).toContainEqual({ source: "Probe", text: "to standard output" });
    expect(run.lines).toContainEqual({ source: "Probe", text: "to standard error, in two pieces" });
  });
});

it.each([
  ["exit", "exited"],
  ["uncaught", "uncaught on purpose"],
  ["memory", "memory limit"],
])("a crash (%s) only ends its own environment", async (kind, reason) => {
  const isHeld = hold.more(1);
  const held = environmentOf("/probe/hold");
  await isHeld;
  const crashed = await get(`/probe/${kind}`);
  expect([crashed.status, await crashed.json()]).toEqual([500, { message: "Internal Server Error" }]);
  await run.logged(reason);
  hold.release();
  await expect(held).resolves.toEqual(expect.any(String));
  expect((await get("/probe/environment")).status).toBe(200);
});

it.each([
  ["/unstartable", "NODE_OPTIONS"],
  ["/missing", "exports no function missing"],
])("a function that can't be started fails its requests: %s", async (path, reason) => {
  const responses = await Promise.all([1, 2, 3, 4].map(() => get(path)));
  expect(responses.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
  await run.logged(reason);
});

it("a function's timeout ends the environment, even in an endless loop", async () => {
  const before = await environmentOf("/brief/environment");
  const response = await get("/brief/loop");
  expect([response.status, await response.json()]).toEqual([500, { message: "Internal Server Error" }]);
  expect(await run.logged("Task timed out after 1.00 seconds")).toMatchObject({ source: "Brief" });
  expect(run.lines).toContainEqual({ source: "Brief", text: "before the loop" });
  expect(await environmentOf("/brief/environment")).not.toBe(before);
});

describe("with short limits", async () => {
  const short = await runFixture({ limits: { environments: 1, waitMs: 200, integrationTimeoutMs: 400 } });
  afterAll(() => short.close());

  /** Repeats a request until an environment has started, which takes a busy machine longer than the timeout. */
  async function untilStarted(path: string): Promise<void> {
    while ((await fetch(short.url + path)).status !== 200);
  }

  it("a request is throttled if it waited too long", async () => {
    await untilStarted("/probe/environment");
    const isHeld = hold.more(1);
    const held = fetch(`${short.url}/probe/hold`);
    await isHeld;
    const started = performance.now();
    const responses = await Promise.all([1, 2].map(() => fetch(`${short.url}/probe/environment`)));
    expect(responses.map(({ status }) => status)).toEqual([503, 503]);
    expect(responses.map(({ headers }) => headers.get("retry-after"))).toEqual(["1", "1"]);
    expect(await responses[0]?.json()).toEqual({ message: "Service Unavailable" });
    expect(performance.now() - started).toBeGreaterThan(190);
    hold.release();
    await held;
  });

  it("a request ends at the integration's timeout, while its function continues", async () => {
    await untilStarted("/brief/environment");
    const isHeld = hold.more(1);
    const response = await fetch(`${short.url}/brief/hold`);
    expect(response.status).toBe(503);
    expect(response.headers.has("retry-after")).toBe(false);
    await isHeld;
  });
});

it("an initialization that takes too long throttles its requests, and fails none", async () => {
  const impatient = await runFixture({ limits: { initMs: 50, waitMs: 200 } });
  const response = await fetch(`${impatient.url}/hanging`);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("1");
  await impatient.logged("Init: Task timed out after 0.05 seconds");
  await impatient.close();
});
