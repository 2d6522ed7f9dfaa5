import { afterEach, describe, expect, it, vi } from "vitest";
import { CredentialStore } from "../../../local/aws/credentials.ts";
import { ExecutionEnvironment, InitTimeoutError } from "../../../local/lambda/execution-environment.ts";
import { defaultPoolLimits, type PoolLimits } from "../../../local/lambda/function-pool.ts";
import { FunctionRegistry } from "../../../local/lambda/function-registry.ts";
import type { FunctionModel } from "../../../local/stack/model.ts";

const functions = ["A", "B", "C"].map(
  (logicalId) => ({ logicalId, label: logicalId, name: logicalId }) as FunctionModel,
);

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A registry whose environments start and handle requests without threads. */
function createRegistry(limits: Partial<PoolLimits>): FunctionRegistry {
  return new FunctionRegistry(functions, {
    credentials: new CredentialStore(),
    awsUrl: "",
    log: () => undefined,
    limits: { ...defaultPoolLimits, ...limits },
  });
}

describe("a cold start", () => {
  it("throttles after 20 seconds what could not start, and fails no request for a slow start", async () => {
    vi.useFakeTimers();
    vi.spyOn(ExecutionEnvironment, "start").mockImplementation(
      () =>
        new Promise((_, reject) => {
          setTimeout(() => reject(new InitTimeoutError("Init: too slow")), defaultPoolLimits.initMs / 4);
        }),
    );
    const registry = createRegistry({ environments: 4 });
    const kinds: string[] = [];
    for (const { logicalId } of functions)
      void registry.invoke(logicalId, "{}").then(({ kind }) => kinds.push(kind));
    await vi.advanceTimersByTimeAsync(19_999);
    expect(kinds).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(kinds).toEqual(["throttled", "throttled", "throttled"]);
  });

  it("fails a request for each start that fails for another reason", async () => {
    vi.spyOn(ExecutionEnvironment, "start").mockRejectedValue(new Error("broken"));
    const registry = createRegistry({ environments: 4 });
    const results = await Promise.all([1, 2, 3].map(() => registry.invoke("A", "{}")));
    expect(results).toEqual([1, 2, 3].map(() => ({ kind: "failure", reason: "broken" })));
    await registry.close();
  });
});
