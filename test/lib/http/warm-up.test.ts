import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHandler } from "../../../lib/http/handler.ts";
import { response } from "../../../lib/http/route.ts";
import { warmUp } from "../../../lib/http/warm-up.ts";
import { about, route } from "../../support/api/test-route.ts";

/** A function with one route, and how often its handler has run. */
function functionThat(handle: () => Promise<void>) {
  const calls: number[] = [];
  const note = route("GET /notes/{id}", {
    ...about,
    responses: { 200: undefined as never },
    handle: async () => {
      calls.push(1);
      await handle();
      return response(200, { id: 1 }) as never;
    },
  });
  return { handler: createHandler([note], () => () => ({})), calls };
}

describe("a warm-up", () => {
  beforeEach(() => {
    vi.stubEnv("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand");
    vi.spyOn(process.stdout, "write");
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    vi.useRealTimers();
  });

  it.each([
    ["succeeds", async () => undefined],
    [
      "fails",
      async () => {
        throw new Error("The database cannot be reached");
      },
    ],
  ])("handles a request that %s, and logs nothing", async (_, handle) => {
    const { handler, calls } = functionThat(handle);
    await expect(warmUp(handler, "/notes/1")).resolves.toBeUndefined();
    expect(calls).toHaveLength(1);
    expect(process.stdout.write).not.toHaveBeenCalled();
  });

  it("waits for a second at most", async () => {
    vi.useFakeTimers();
    const { handler } = functionThat(() => new Promise(() => undefined));
    const done = vi.fn();
    const warm = warmUp(handler, "/notes/1").then(done);
    await vi.advanceTimersByTimeAsync(999);
    expect(done).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await warm;

    expect(done).toHaveBeenCalled();
  });

  it("does nothing outside of an execution environment", async () => {
    vi.stubEnv("AWS_LAMBDA_INITIALIZATION_TYPE", undefined);
    const { handler, calls } = functionThat(async () => undefined);
    await warmUp(handler, "/notes/1");
    expect(calls).toEqual([]);
  });
});
