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

function environmentOf(functionModel: FunctionModel): ExecutionEnvironment {
  const result = { kind: "result", payload: functionModel.label, calls: [], isCold: false };
  return {
    functionModel,
    isAlive: true,
    ended: new Promise(() => undefined),
    invoke: async () => result,
    terminate: async () => undefined,
  } as unknown as ExecutionEnvironment;
}

describe("a storm of cold starts", () => {
  it("starts no more environments at once than there are cores, over all functions", async () => {
    let running = 0;
    let most = 0;
    const started: string[] = [];
    vi.spyOn(ExecutionEnvironment, "start").mockImplementation(async (functionModel) => {
      started.push(functionModel.label);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return environmentOf(functionModel);
    });
    const registry = createRegistry({ environments: 4, starts: 2 });
    const requests = functions.flatMap(({ logicalId }) =>
      Array.from({ length: 10 }, () => registry.invoke(logicalId, "{}")),
    );
    const results = await Promise.all(requests);
    expect(results.map(({ kind }) => kind)).toEqual(requests.map(() => "result"));
    expect(most).toBe(2);
    expect(new Set(started)).toEqual(new Set(["A", "B", "C"]));
    await registry.close();
  });

  it("skips the start of an environment that no request needs any more", async () => {
    const starts: (() => void)[] = [];
    const start = vi.spyOn(ExecutionEnvironment, "start").mockImplementation(async (functionModel) => {
      await new Promise<void>((resolve) => starts.push(resolve));
      return environmentOf(functionModel);
    });
    const registry = createRegistry({ environments: 4, starts: 1 });
    const requests = [1, 2, 3].map(() => registry.invoke("A", "{}"));
    starts[0]?.();
    await Promise.all(requests);
    // The second start began while requests waited. The third one would begin now.
    starts[1]?.();
    await registry.close();
    expect(start).toHaveBeenCalledTimes(2);
  });

  it("throttles after 10 seconds what could not start, and fails no request for a slow start", async () => {
    vi.useFakeTimers();
    vi.spyOn(ExecutionEnvironment, "start").mockImplementation(
      () =>
        new Promise((_, reject) => {
          setTimeout(() => reject(new InitTimeoutError("Init: too slow")), defaultPoolLimits.initMs / 4);
        }),
    );
    const registry = createRegistry({ environments: 4, starts: 1 });
    const kinds: string[] = [];
    for (const { logicalId } of functions)
      void registry.invoke(logicalId, "{}").then(({ kind }) => kinds.push(kind));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(kinds).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(kinds).toEqual(["throttled", "throttled", "throttled"]);
  });

  it("fails a request for each start that fails for another reason", async () => {
    vi.spyOn(ExecutionEnvironment, "start").mockRejectedValue(new Error("broken"));
    const registry = createRegistry({ environments: 4, starts: 1 });
    const results = await Promise.all([1, 2, 3].map(() => registry.invoke("A", "{}")));
    expect(results).toEqual([1, 2, 3].map(() => ({ kind: "failure", reason: "broken" })));
    await registry.close();
  });
});
