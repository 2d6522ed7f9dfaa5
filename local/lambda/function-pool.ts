import { availableParallelism } from "node:os";
import type { CredentialStore } from "../aws/credentials.ts";
import type { FunctionModel } from "../stack/model.ts";
import {
  type EnvironmentContext,
  ExecutionEnvironment,
  InitTimeoutError,
  type InvocationResult,
} from "./execution-environment.ts";

/** The result of a request; `throttled` if no execution environment became free in time. */
export type PoolResult = InvocationResult | { readonly kind: "throttled" };

export interface PoolLimits {
  /** Maximum execution environments per function; further requests wait. */
  readonly environments: number;
  /** How long a request waits for an environment, in milliseconds. */
  readonly waitMs: number;
  /** How long an environment may take to start, in milliseconds. */
  readonly initMs: number;
}

export const defaultPoolLimits: PoolLimits = {
  // The gateway, the database and several functions need the cores too (docs/adr/0004).
  environments: Math.ceil(availableParallelism() / 2),
  waitMs: 20_000,
  initMs: 10_000,
};

export interface PoolContext extends EnvironmentContext {
  readonly credentials: CredentialStore;
  readonly limits: PoolLimits;
}

interface WaitingRequest {
  readonly payload: string;
  readonly resolve: (result: PoolResult) => void;
}

/** The execution environments of a function. They start on demand, up to a limit, and are reused. */
export class FunctionPool {
  #functionModel: FunctionModel;
  readonly #context: PoolContext;
  readonly #waiting = new Set<WaitingRequest>();
  readonly #idle: ExecutionEnvironment[] = [];
  readonly #environments = new Set<ExecutionEnvironment>();
  readonly #starting = new Set<Promise<void>>();
  #isClosed = false;

  constructor(functionModel: FunctionModel, context: PoolContext) {
    this.#functionModel = functionModel;
    this.#context = context;
  }

  async invoke(payload: string): Promise<PoolResult> {
    if (this.#isClosed) return { kind: "throttled" };
    return await new Promise((onResult) => {
      const resolve = (result: PoolResult) => {
        clearTimeout(timer);
        onResult(result);
      };
      const request = { payload, resolve };
      const timer = setTimeout(() => {
        if (this.#waiting.delete(request)) resolve({ kind: "throttled" });
      }, this.#context.limits.waitMs);
      this.#waiting.add(request);
      this.#dispatch();
    });
  }

  /** Running requests finish with the old code and settings. @returns false if nothing has changed */
  replace(functionModel: FunctionModel): boolean {
    // CDK names code directories after their content, so equal models have equal code.
    if (JSON.stringify(functionModel) === JSON.stringify(this.#functionModel)) return false;
    this.#functionModel = functionModel;
    for (const environment of this.#idle.splice(0)) void environment.terminate();
    this.#dispatch();
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const request of this.#waiting) request.resolve({ kind: "throttled" });
    this.#waiting.clear();
    await Promise.all(this.#starting);
    await Promise.all([...this.#environments].map((environment) => environment.terminate()));
  }

  /** Gives waiting requests to idle environments, then starts an environment for each remaining request. */
  #dispatch(): void {
    for (const request of this.#waiting) {
      const environment = this.#takeIdle();
      if (environment === undefined) break;
      this.#waiting.delete(request);
      void this.#handle(request, environment);
    }
    while (this.#shouldStartAnother()) {
      const start: Promise<void> = this.#startEnvironment().finally(() => {
        this.#starting.delete(start);
        this.#dispatch();
      });
      this.#starting.add(start);
    }
  }

  #shouldStartAnother(): boolean {
    const limit = this.#context.limits.environments;
    // Those with older code finish their requests.
    const usable = [...this.#environments].filter((environment) => this.#isUsable(environment)).length;
    return (
      !this.#isClosed && this.#starting.size < this.#waiting.size && usable + this.#starting.size < limit
    );
  }

  /** Takes the environment that was used last, whose code is most likely still in the CPU's caches. */
  #takeIdle(): ExecutionEnvironment | undefined {
    let environment = this.#idle.pop();
    while (environment !== undefined && !this.#isUsable(environment)) environment = this.#idle.pop();
    return environment;
  }

  #isUsable({ isAlive, functionModel }: ExecutionEnvironment): boolean {
    return isAlive && functionModel === this.#functionModel;
  }

  async #startEnvironment(): Promise<void> {
    const { credentials: store } = this.#context;
    const credentials = store.issue(this.#functionModel);
    try {
      const model = this.#functionModel;
      const environment = await ExecutionEnvironment.start(model, credentials, this.#context);
      this.#environments.add(environment);
      void environment.ended.then(() => {
        store.revoke(credentials);
        this.#environments.delete(environment);
        this.#dispatch();
      });
      this.#release(environment);
    } catch (error) {
      store.revoke(credentials);
      const reason = error instanceof Error ? error.message : String(error);
      this.#logFailure(reason);
      // Lambda repeats a slow initialization, too. The requests keep waiting up to their own limit.
      if (!(error instanceof InitTimeoutError)) this.#failFirstWaiting(reason);
    }
  }

  /** As Lambda does, one request for each failed start. Otherwise the pool would try to start forever. */
  #failFirstWaiting(reason: string): void {
    const [request] = this.#waiting;
    if (request === undefined) return;
    this.#waiting.delete(request);
    request.resolve({ kind: "failure", reason });
  }

  async #handle(request: WaitingRequest, environment: ExecutionEnvironment): Promise<void> {
    const result = await environment.invoke(request.payload);
    if (result.kind === "failure") this.#logFailure(result.reason);
    request.resolve(result);
    this.#release(environment);
    this.#dispatch();
  }

  #release(environment: ExecutionEnvironment): void {
    if (this.#isUsable(environment)) this.#idle.push(environment);
    else void environment.terminate();
  }

  #logFailure(reason: string): void {
    for (const text of reason.split("\n")) this.#context.log({ source: this.#functionModel.label, text });
  }
}
