/** Runs a step of a start and reports it when it is done, in the words of `describe`. */
export type Step = <T>(work: () => Promise<T>, describe: (result: T) => string) => Promise<T>;

/** @param onStep receives each step that succeeded, with its duration */
export function createStep(onStep: (text: string, milliseconds: number) => void): Step {
  return async (work, describe) => {
    const startedAt = performance.now();
    const result = await work();
    onStep(describe(result), performance.now() - startedAt);
    return result;
  };
}
