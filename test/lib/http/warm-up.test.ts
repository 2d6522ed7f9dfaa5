import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHandler } from "../../../lib/http/handler.ts";
import { response } from "../../../lib/http/route.ts";
import { warmUp } from "../../../lib/http/warm-up.ts";
import { emptyRoute } from "../../support/api/test-route.ts";

/** A function with one route, and what its handler does. */
function functionThat(does: () => Promise<void>) {
  const handle = vi.fn(does);
  const note = { ...emptyRoute("GET /notes/{id}"), handle: () => handle().then(() => response(204)) };
  return { handler: createHandler([note], () => () => ({})), handle };
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
    ["fails", () => Promise.reject(new Error("The database cannot be reached"))],
  ])("handles a request that %s, and logs nothing", async (_, does) => {
    const { handler, handle } = functionThat(does);
    await expect(warmUp(handler, "/notes/1")).resolves.toBeUndefined();
    expect(handle).toHaveBeenCalledOnce();
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
    const { handler, handle } = functionThat(async () => undefined);
    await warmUp(handler, "/notes/1");
    expect(handle).not.toHaveBeenCalled();
  });
});
