import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { CommandError } from "../../cli/errors.ts";
import type { AssemblyCache } from "./assembly-cache.ts";
import { describeCodeError } from "./code-error.ts";
import type { AppProps, SynthesisJob, SynthesisResult } from "./synthesis-worker.ts";
import type { SynthesizedStack } from "./template.ts";

/** The module of the CDK app: `createApp(props)` returns an app with one stack. */
export const defaultApp = new URL("../../infra/app.ts", import.meta.url);

/**
 * Runs the app in a new worker thread each time: this thread is not blocked, the CDK's memory is freed
 * afterwards, and modules that changed are loaded again.
 *
 * @param shouldPreload whether to load the CDK for the next synthesis in advance, which makes reloads fast
 * @param cache the assembly of an earlier start, which the first synthesis may use
 */
export function createSynthesizer(app: URL, props: AppProps, shouldPreload: boolean, cache?: AssemblyCache) {
  const job = { app: app.href, props, cdkModules: [] };
  let preloaded: Worker | undefined = cache?.isFresh() ? undefined : startWorker(job);
  let ended: Promise<unknown> = Promise.resolve();
  let unusedCache = cache;

  async function synthesizeAgain(): Promise<SynthesisResult> {
    const worker = preloaded ?? startWorker(job);
    preloaded = undefined;
    try {
      return await runJob(worker);
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
      if (shouldPreload) preloaded = startWorker({ ...job, cdkModules: result.cdkModules });
      const isReused = earlier !== undefined;
      if (!isReused) ended = Promise.all([ended, firstCache?.store(result)]);
      return { ...result, isReused };
    },
    async close(): Promise<void> {
      await Promise.all([preloaded?.terminate(), ended]);
      preloaded = undefined;
    },
  };
}

function startWorker(job: SynthesisJob): Worker {
  const worker = new Worker(new URL("./synthesis-worker.ts", import.meta.url), {
    // A deployment validates the template; here that would take longer than the rest of the start.
    env: { ...process.env, CDK_VALIDATION: "false" },
    execArgv: [],
    workerData: job,
  });
  worker.unref();
  return worker;
}

async function runJob(worker: Worker): Promise<SynthesisResult> {
  worker.ref();
  worker.postMessage("synthesize");
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
