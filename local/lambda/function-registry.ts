import type { FunctionModel } from "../stack/model.ts";
import { FunctionPool, type PoolContext, type PoolResult } from "./function-pool.ts";

/** The stack's functions. */
export interface FunctionRegistry {
  /**
   * @param functionId the function's logical id
   * @param payload the event as JSON
   */
  invoke(functionId: string, payload: string): Promise<PoolResult>;
  /**
   * Replaces the functions. Those with the same code and settings keep their execution environments.
   *
   * @returns the labels of new and changed functions
   */
  replace(functions: readonly FunctionModel[]): readonly string[];
  close(): Promise<void>;
}

interface Entry {
  readonly functionModel: FunctionModel;
  readonly pool: FunctionPool;
}

export function createFunctionRegistry(
  functions: readonly FunctionModel[],
  context: PoolContext,
): FunctionRegistry {
  let entries = new Map<string, Entry>();
  const closing: Promise<void>[] = [];

  function replace(next: readonly FunctionModel[]): string[] {
    const previous = entries;
    const changed = next.filter((model) => !isSame(previous.get(model.logicalId)?.functionModel, model));
    entries = new Map(next.map((model) => [model.logicalId, toEntry(model, previous.get(model.logicalId))]));
    for (const [id, { pool }] of previous) {
      if (!entries.has(id)) closing.push(pool.close());
    }
    return changed.map(({ label }) => label);
  }

  function toEntry(functionModel: FunctionModel, previous: Entry | undefined): Entry {
    if (previous === undefined) return { functionModel, pool: new FunctionPool(functionModel, context) };
    if (isSame(previous.functionModel, functionModel)) return previous;
    previous.pool.replace(functionModel);
    return { functionModel, pool: previous.pool };
  }

  replace(functions);
  return {
    async invoke(functionId, payload) {
      const entry = entries.get(functionId);
      // A request may arrive at a route whose function a reload just removed.
      if (entry === undefined) return { kind: "failure", reason: "The function does not exist." };
      return await entry.pool.invoke(payload);
    },
    replace,
    async close() {
      await Promise.all([...closing, ...[...entries.values()].map(({ pool }) => pool.close())]);
    },
  };
}

/** Bundles are in directories named after their content, so equal models have equal code. */
function isSame(a: FunctionModel | undefined, b: FunctionModel): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
