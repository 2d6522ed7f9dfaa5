import type { FunctionModel } from "../stack/model.ts";
import { FunctionPool, type PoolContext, type PoolResult } from "./function-pool.ts";

export class FunctionRegistry {
  readonly #context: PoolContext;
  /** By logical id. */
  #pools = new Map<string, FunctionPool>();
  readonly #closing: Promise<void>[] = [];

  constructor(functions: readonly FunctionModel[], context: PoolContext) {
    this.#context = context;
    this.replace(functions);
  }

  async invoke(functionId: string, payload: string): Promise<PoolResult> {
    const pool = this.#pools.get(functionId);
    // A request may still have a route whose function a reload just removed.
    return pool === undefined
      ? { kind: "failure", reason: "The function does not exist." }
      : await pool.invoke(payload);
  }

  /** Starts changed functions for a `replace` that follows. @throws {CommandError} if one can't be loaded */
  async prepare(functions: readonly FunctionModel[]): Promise<void> {
    await Promise.all(functions.map((model) => this.#pools.get(model.logicalId)?.prepare(model)));
  }

  /** Functions with the same code and settings keep their environments. @returns the labels of the others */
  replace(functions: readonly FunctionModel[]): readonly string[] {
    const previous = this.#pools;
    const changed = functions.filter((model) => previous.get(model.logicalId)?.replace(model) ?? true);
    this.#pools = new Map(
      functions.map((model) => [
        model.logicalId,
        previous.get(model.logicalId) ?? new FunctionPool(model, this.#context),
      ]),
    );
    for (const [id, pool] of previous) if (!this.#pools.has(id)) this.#closing.push(pool.close());
    return changed.map(({ label }) => label);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#closing, ...[...this.#pools.values()].map((pool) => pool.close())]);
  }
}
