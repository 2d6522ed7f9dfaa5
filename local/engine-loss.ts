import type { FunctionInvoker } from "./api-gateway/integration.ts";
import type { PoolResult } from "./lambda/function-pool.ts";

/**
 * Invokes functions until the engine ends. From then on every request gets 503, also a running one: its function would
 * first repeat its calls to the database, or wait for something else.
 */
export function stopWithEngine(functions: FunctionInvoker, engineEnded: Promise<unknown>): FunctionInvoker {
  const running = new Set<(result: PoolResult) => void>();
  let hasEnded = false;
  void engineEnded.then(() => {
    hasEnded = true;
    for (const resolve of running) resolve({ kind: "throttled" });
  });
  return {
    async invoke(functionId, payload) {
      if (hasEnded) return { kind: "throttled" };
      // Not `Promise.race`: the promise of the engine's end would keep every request until then.
      const { promise, resolve, reject } = Promise.withResolvers<PoolResult>();
      running.add(resolve);
      functions.invoke(functionId, payload).then(resolve, reject);
      return await promise.finally(() => running.delete(resolve));
    },
  };
}
