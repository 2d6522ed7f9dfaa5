import { availableParallelism } from "node:os";
import { CommandError } from "../../cli/errors.ts";
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
  /** How long all of a function's environments are busy before another one starts, in milliseconds. */
  readonly scaleAfterMs: number;
  /** How long an environment beside the first one may be idle, in milliseconds. */
  readonly idleMs: number;
  /** How long a request waits for an environment, in milliseconds. */
  readonly waitMs: number;
  /** How long an environment may take to start, in milliseconds. */
  readonly initMs: number;
  /** How long a request may take, in milliseconds, instead of the function's own limit. */
  readonly invocationMs?: number;
}

export const defaultPoolLimits: PoolLimits = {
  environments: 10,
  // Longer than a request that waits for nothing.
  scaleAfterMs: 20,
  idleMs: 30_000,
  waitMs: 20_000,
  initMs: 10_000,
};

export interface PoolContext extends EnvironmentContext {
  readonly credentials: CredentialStore;
  readonly limits: PoolLimits;
}

/** Each start takes a core for a while. */
const MAX_STARTING = Math.ceil(availableParallelism() / 2);

interface WaitingRequest {
  readonly payload: string;
  readonly since: number;
  readonly resolve: (result: PoolResult) => void;
}

/** The execution environments of a function. They start on demand, up to a limit, are reused, and end when idle. */
export class FunctionPool {
  #functionModel: FunctionModel;
  readonly #context: PoolContext;
  readonly #waiting = new Set<WaitingRequest>();
  readonly #idle: { readonly environment: ExecutionEnvironment; readonly since: number }[] = [];
  readonly #environments = new Set<ExecutionEnvironment>();
  readonly #starting = new Set<Promise<void>>();
  #prepared: ExecutionEnvironment | undefined;
  #scaling: NodeJS.Timeout | undefined;
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
      const request = { payload, since: performance.now(), resolve };
      const timer = setTimeout(() => {
        if (this.#waiting.delete(request)) resolve({ kind: "throttled" });
      }, this.#context.limits.waitMs);
      this.#waiting.add(request);
      this.#dispatch();
    });
  }

  /** Starts an environment for a `replace` that follows. @throws {CommandError} if the code can't be loaded */
  async prepare(functionModel: FunctionModel): Promise<void> {
    void this.#prepared?.terminate();
    this.#prepared = undefined;
    try {
      this.#prepared = await this.#start(functionModel);
    } catch (error) {
      const [what = "", place = ""] = String((error as Error).message).split("\n");
      throw new CommandError(`${functionModel.label} can't be loaded: ${what} ${place.trim()}`);
    }
  }

  /** Running requests finish with the old code and settings. @returns false if nothing has changed */
  replace(functionModel: FunctionModel): boolean {
    // CDK names code directories after their content, so equal models have equal code.
    if (JSON.stringify(functionModel) === JSON.stringify(this.#functionModel)) return false;
    this.#functionModel = functionModel;
    for (const { environment } of this.#idle.splice(0)) void environment.terminate();
    if (this.#prepared) this.#release(this.#prepared);
    this.#prepared = undefined;
    this.#dispatch();
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#scaling);
    for (const request of this.#waiting) request.resolve({ kind: "throttled" });
    this.#waiting.clear();
    await Promise.all(this.#starting);
    await Promise.all([...this.#environments].map((environment) => environment.terminate()));
  }

  /** Gives waiting requests to idle environments, and starts others for those that have waited. */
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
    const { environments, scaleAfterMs } = this.#context.limits;
    // Those with older code finish their requests.
    const usable = [...this.#environments].filter((environment) => this.#isUsable(environment)).length;
    const count = usable + this.#starting.size;
    const [first] = this.#waiting;
    if (this.#isClosed || first === undefined || count >= environments) return false;
    if (count === 0) return true;
    if (this.#starting.size >= Math.min(MAX_STARTING, this.#waiting.size)) return false;
    const remaining = first.since + scaleAfterMs - performance.now();
    if (remaining <= 0) return true;
    this.#scaling ??= setTimeout(() => {
      this.#scaling = undefined;
      this.#dispatch();
    }, remaining);
    return false;
  }

  /** Takes the environment that was used last, whose code is most likely still in the CPU's caches. */
  #takeIdle(): ExecutionEnvironment | undefined {
    let environment = this.#idle.pop()?.environment;
    while (environment !== undefined && !this.#isUsable(environment))
      environment = this.#idle.pop()?.environment;
    return environment;
  }

  #isUsable({ isAlive, functionModel }: ExecutionEnvironment): boolean {
    return isAlive && functionModel === this.#functionModel;
  }

  async #start(functionModel: FunctionModel): Promise<ExecutionEnvironment> {
    const { credentials: store } = this.#context;
    const credentials = store.issue(functionModel);
    try {
      const environment = await ExecutionEnvironment.start(functionModel, credentials, this.#context);
      this.#environments.add(environment);
      void environment.ended.then(() => {
        store.revoke(credentials);
        this.#environments.delete(environment);
        this.#dispatch();
      });
      return environment;
    } catch (error) {
      store.revoke(credentials);
      throw error;
    }
  }

  async #startEnvironment(): Promise<void> {
    try {
      this.#release(await this.#start(this.#functionModel));
    } catch (error) {
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
    if (!this.#isUsable(environment)) return void environment.terminate();
    this.#idle.push({ environment, since: performance.now() });
    setTimeout(() => this.#endIdle(), this.#context.limits.idleMs).unref();
  }

  /** The first ones have been idle for the longest time. One is kept. */
  #endIdle(): void {
    const before = performance.now() - this.#context.limits.idleMs;
    while (this.#idle.length > 1 && Number(this.#idle[0]?.since) <= before)
      void this.#idle.shift()?.environment.terminate();
  }

  #logFailure(reason: string): void {
    for (const text of reason.split("\n")) this.#context.log({ source: this.#functionModel.label, text });
  }
}
