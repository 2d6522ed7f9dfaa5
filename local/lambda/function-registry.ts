import type { FunctionModel } from "../stack/model.ts";
import { FunctionPool, type PoolContext, type PoolResult } from "./function-pool.ts";
import { StartQueue } from "./start-queue.ts";

/** The stack's functions, each with a pool of execution environments. */
export class FunctionRegistry {
  readonly #context: PoolContext;
  /** By logical id. */
  #functions = new Map<string, { readonly functionModel: FunctionModel; readonly pool: FunctionPool }>();
  readonly #closing: Promise<void>[] = [];

  constructor(functions: readonly FunctionModel[], context: Omit<PoolContext, "startQueue">) {
    this.#context = { ...context, startQueue: new StartQueue(context.limits.starts) };
    this.replace(functions);
  }

  /**
   * @param functionId the function's logical id
   * @param payload the event as JSON
   */
  async invoke(functionId: string, payload: string): Promise<PoolResult> {
    const pool = this.#functions.get(functionId)?.pool;
    // A request may still have a route whose function a reload just removed.
    return pool === undefined
      ? { kind: "failure", reason: "The function does not exist." }
      : await pool.invoke(payload);
  }

  /**
   * Replaces the functions. Those with the same code and settings keep their execution environments.
   *
   * @returns the labels of new and changed functions
   */
  replace(functions: readonly FunctionModel[]): readonly string[] {
    const previous = this.#functions;
    const changed = functions.filter((model) => !isSame(previous.get(model.logicalId)?.functionModel, model));
    for (const model of changed) previous.get(model.logicalId)?.pool.replace(model);
    this.#functions = new Map(
      functions.map((functionModel) => {
        const { logicalId } = functionModel;
        const existing = previous.get(logicalId)?.pool;
        const pool = existing ?? new FunctionPool(functionModel, this.#context);
        return [logicalId, { functionModel, pool }];
      }),
    );
    for (const [id, { pool }] of previous) {
      if (!this.#functions.has(id)) this.#closing.push(pool.close());
    }
    return changed.map(({ label }) => label);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#closing, ...[...this.#functions.values()].map(({ pool }) => pool.close())]);
  }
}

/** CDK names code directories after their content, so equal models have equal code. */
function isSame(a: FunctionModel | undefined, b: FunctionModel): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
