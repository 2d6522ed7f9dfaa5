import type { FunctionModel } from "../stack/model.ts";
import type { FunctionPool, Outcome } from "./function-pool.ts";

/** All functions of the stack. */
export interface FunctionRegistry {
  /**
   * @param functionId the function's logical id
   * @param payload the event as JSON
   */
  invoke(functionId: string, payload: string): Promise<Outcome>;
  /**
   * Goes over to other functions. Those that are the same to the letter keep their environments.
   *
   * @returns the labels of the functions that are new or changed
   */
  replace(functions: readonly FunctionModel[]): readonly string[];
  close(): Promise<void>;
}

interface Member {
  readonly functionModel: FunctionModel;
  readonly pool: FunctionPool;
}

/**
 * Keeps a pool of execution environments for each function.
 *
 * @param functions the functions
 * @param createPool creates the pool of one
 */
export function createFunctionRegistry(
  functions: readonly FunctionModel[],
  createPool: (functionModel: FunctionModel) => FunctionPool,
): FunctionRegistry {
  let members = new Map<string, Member>();
  const retired: Promise<void>[] = [];

  function replace(next: readonly FunctionModel[]): string[] {
    const before = members;
    const changed = next.filter((model) => !isSame(before.get(model.logicalId)?.functionModel, model));
    members = new Map(next.map((model) => [model.logicalId, takeOver(before.get(model.logicalId), model)]));
    for (const [id, { pool }] of before) {
      if (!members.has(id)) retired.push(pool.close());
    }
    return changed.map(({ label }) => label);
  }

  function takeOver(member: Member | undefined, functionModel: FunctionModel): Member {
    if (member === undefined) return { functionModel, pool: createPool(functionModel) };
    if (isSame(member.functionModel, functionModel)) return member;
    member.pool.replace(functionModel);
    return { functionModel, pool: member.pool };
  }

  replace(functions);
  return {
    async invoke(functionId, payload) {
      const member = members.get(functionId);
      return member === undefined ? { kind: "failure" } : await member.pool.invoke(payload);
    },
    replace,
    async close() {
      await Promise.all([...retired, ...[...members.values()].map(({ pool }) => pool.close())]);
    },
  };
}

function isSame(a: FunctionModel | undefined, b: FunctionModel): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
