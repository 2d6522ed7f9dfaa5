import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { CommandError } from "../../cli/errors.ts";
import { type AssemblyCache, projectRoot } from "./assembly-cache.ts";
import { describeCodeError } from "./code-error.ts";
import type { AppProps, SynthesisJob } from "./synthesis-worker.ts";
import type { SynthesizedStack } from "./template.ts";

/** The module of the CDK app: `createApp(props)` returns an app with one stack. */
export const defaultApp = new URL("../../infra/app.ts", import.meta.url);

/** Debuggers and Node find the files of a bundle's source map there. */
export const sourceRoot = pathToFileURL(projectRoot).href;

/**
 * Runs the app in a new worker thread each time: this thread is not blocked, the CDK's memory is freed
 * afterwards, and modules that changed are loaded again.
 *
 * @param cache the assembly of an earlier start, which the first synthesis may use
 */
export function createSynthesizer(app: URL, props: AppProps, cache?: AssemblyCache) {
  let ended: Promise<unknown> = Promise.resolve();
  let unusedCache = cache;

  async function synthesizeAgain(): Promise<SynthesizedStack> {
    const worker = startWorker({ app: app.href, props });
    try {
      return await resultOf(worker);
    } finally {
      // Not awaited: the worker first writes its compile cache, which takes as long as the synthesis.
      ended = Promise.all([ended, worker.terminate()]);
    }
  }

  return {
    /** @throws {CommandError} with the app's message, if the app can't be loaded or synthesized */
    async synthesize(): Promise<SynthesizedStack & { readonly isReused: boolean }> {
      const firstCache = unusedCache;
      unusedCache = undefined;
      const earlier = await firstCache?.restore();
      const result = earlier ?? (await synthesizeAgain());
      const isReused = earlier !== undefined;
      if (!isReused) ended = Promise.all([ended, firstCache?.store(result)]);
      return { ...result, isReused };
    },
    async close(): Promise<void> {
      await ended;
    },
  };
}

function startWorker(job: SynthesisJob): Worker {
  return new Worker(new URL("./synthesis-worker.ts", import.meta.url), {
    // A deployment validates the template; here that would take longer than the rest of the start.
    env: { ...process.env, BUNDLE_SOURCE_ROOT: sourceRoot, CDK_VALIDATION: "false" },
    execArgv: [],
    workerData: job,
  });
}

async function resultOf(worker: Worker): Promise<SynthesizedStack> {
  const exit = once(worker, "exit").then(() => {
    throw new Error("the CDK app exited");
  });
  try {
    const [result] = await Promise.race([once(worker, "message"), exit]);
    return result;
  } catch (error) {
    throw new CommandError(`The stack can't be synthesized: ${describeCodeError(error)}`);
  }
}
