import { availableParallelism } from "node:os";
import type { CredentialStore } from "../aws/credentials.ts";
import type { LogSink } from "../log.ts";
import type { FunctionModel } from "../stack/model.ts";
import { type ExecutionEnvironment, startExecutionEnvironment } from "./execution-environment.ts";

/** How a function answered one request. */
export type Outcome =
  | {
      readonly kind: "result";
      /** What the handler returned, as JSON. */
      readonly payload: string;
      /** DynamoDB capacity units that the request consumed. */
      readonly units: number;
      /** Whether an execution environment was started for it, or in time for it. */
      readonly isCold: boolean;
    }
  /** It threw, crashed or timed out; the log says why. */
  | { readonly kind: "failure" }
  /** No execution environment became free in time. */
  | { readonly kind: "throttled" };

/** A function as Lambda runs it: as many execution environments as there is work, up to a limit. */
export interface FunctionPool {
  /** @param payload the event as JSON */
  invoke(payload: string): Promise<Outcome>;
  /** Serves all further requests with other code or settings; running ones end as they began. */
  replace(functionModel: FunctionModel): void;
  /** @returns how many execution environments there are, those that are starting included */
  size(): number;
  close(): Promise<void>;
}

export interface PoolLimits {
  /** Most execution environments per function. A laptop has fewer than Lambda: further requests wait. */
  readonly environments: number;
  /** Most requests per function that wait. */
  readonly queue: number;
  /** How long a request waits for an environment, in milliseconds. */
  readonly waitMs: number;
}

export const defaultPoolLimits: PoolLimits = {
  environments: 2 * availableParallelism(),
  queue: 5_000,
  waitMs: 30_000,
};

interface Waiting {
  readonly payload: string;
  readonly settle: (outcome: Outcome) => void;
}

/**
 * Creates the pool of a function's execution environments, at first none.
 *
 * @param functionModel the function
 * @param shared what all functions share: the workers' credentials and the endpoint of AWS's services
 * @param log where the functions' output and failures go
 * @param limits how far the pool grows, and how long requests wait
 */
export function createFunctionPool(
  functionModel: FunctionModel,
  shared: { readonly callers: CredentialStore; readonly awsUrl: string },
  log: LogSink,
  limits: PoolLimits = defaultPoolLimits,
): FunctionPool {
  let current = functionModel;
  let isClosed = false;
  const waiting = new Set<Waiting>();
  const idle: ExecutionEnvironment[] = [];
  const sandboxes = new Set<ExecutionEnvironment>();
  const starting = new Set<Promise<void>>();

  function dispatch(): void {
    for (const request of waiting) {
      const sandbox = takeIdle();
      if (sandbox === undefined) break;
      waiting.delete(request);
      void serve(sandbox, request);
    }
    const most = Math.min(limits.environments, current.reservedConcurrency ?? Number.POSITIVE_INFINITY);
    while (!isClosed && starting.size < waiting.size && sandboxes.size + starting.size < most) {
      const start: Promise<void> = grow().finally(() => {
        starting.delete(start);
        dispatch();
      });
      starting.add(start);
    }
  }

  /** The one used last is the one whose code is still in the caches. */
  function takeIdle(): ExecutionEnvironment | undefined {
    for (let sandbox = idle.pop(); sandbox !== undefined; sandbox = idle.pop()) {
      if (isUsable(sandbox)) return sandbox;
    }
    return undefined;
  }

  function isUsable(sandbox: ExecutionEnvironment): boolean {
    return sandbox.isAlive() && sandbox.functionModel === current;
  }

  async function grow(): Promise<void> {
    const model = current;
    const caller = shared.callers.issue(model);
    let sandbox: ExecutionEnvironment | string | undefined;
    const onEnd = () => {
      if (typeof sandbox === "object") sandboxes.delete(sandbox);
      dispatch();
    };
    try {
      sandbox = await startExecutionEnvironment(model, caller, shared.awsUrl, log, onEnd);
    } catch (error) {
      // For example Node options in the template's environment that a thread can't have.
      caller.revoke();
      sandbox = String(error);
    }
    if (typeof sandbox === "string") {
      failFirstWaiting(sandbox);
    } else if (isClosed) {
      await sandbox.terminate();
    } else {
      sandboxes.add(sandbox);
      release(sandbox);
    }
  }

  /** A request that caused a failed start gets its failure, like Lambda's; otherwise it would start forever. */
  function failFirstWaiting(reason: string): void {
    logFailure(reason);
    for (const request of waiting) {
      waiting.delete(request);
      request.settle({ kind: "failure" });
      return;
    }
  }

  async function serve(sandbox: ExecutionEnvironment, request: Waiting): Promise<void> {
    const answered = await sandbox.invoke(request.payload);
    if (answered.kind === "failure") logFailure(answered.reason);
    request.settle(answered.kind === "failure" ? { kind: "failure" } : answered);
    release(sandbox);
    dispatch();
  }

  function release(sandbox: ExecutionEnvironment): void {
    if (isUsable(sandbox)) idle.push(sandbox);
    else void sandbox.terminate();
  }

  function logFailure(reason: string): void {
    for (const text of reason.split("\n")) log({ source: current.label, text });
  }

  return {
    invoke(payload) {
      if (isClosed || waiting.size >= limits.queue) return Promise.resolve({ kind: "throttled" });
      return new Promise((resolve) => {
        const request: Waiting = {
          payload,
          settle(outcome) {
            clearTimeout(timer);
            resolve(outcome);
          },
        };
        const timer = setTimeout(() => {
          if (waiting.delete(request)) resolve({ kind: "throttled" });
        }, limits.waitMs);
        waiting.add(request);
        dispatch();
      });
    },
    replace(next) {
      current = next;
      for (const sandbox of idle.splice(0)) void sandbox.terminate();
      dispatch();
    },
    size: () => sandboxes.size + starting.size,
    async close() {
      isClosed = true;
      for (const request of waiting) request.settle({ kind: "throttled" });
      waiting.clear();
      await Promise.all([...starting]);
      await Promise.all([...sandboxes].map((sandbox) => sandbox.terminate()));
    },
  };
}
