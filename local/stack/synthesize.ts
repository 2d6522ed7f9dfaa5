import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import type { AssetManifest } from "aws-cdk-lib/cloud-assembly-schema";
import { CommandError } from "../../cli/errors.ts";
import type { AssemblyCache } from "./assembly-cache.ts";
import type { Template } from "./resources.ts";
import type { AppProps, SynthesisFailure, SynthesisJob, SynthesisResult } from "./synthesis-worker.ts";
import type { SynthesizedStack } from "./template.ts";

/** The module of the CDK app: `createApp(props)` returns an app with one stack. */
export const defaultApp = new URL("../../infra/app.ts", import.meta.url);

/**
 * Creates a synthesizer that runs the app in a new worker thread each time: this thread is not blocked, the CDK's
 * memory is freed afterwards, and modules that changed are loaded again.
 *
 * @param shouldPreload whether to load the CDK for the next synthesis in advance, which makes reloads fast
 * @param cache the assembly of an earlier start, which the first synthesis may use
 */
export function createSynthesizer(app: URL, props: AppProps, shouldPreload: boolean, cache?: AssemblyCache) {
  const job = { app: app.href, props, cdkModules: [] };
  let preloaded: Worker | undefined = cache?.isFresh() ? undefined : startWorker(job);
  let ended: Promise<unknown> = Promise.resolve();
  let unusedCache = cache;
  let isReused = false;

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
    async synthesize(): Promise<SynthesizedStack> {
      const firstCache = unusedCache;
      unusedCache = undefined;
      const earlier = await firstCache?.restore();
      isReused = earlier !== undefined;
      const result = earlier ?? (await synthesizeAgain());
      if (shouldPreload) preloaded = startWorker({ ...job, cdkModules: result.cdkModules });
      if (!isReused) ended = Promise.all([ended, firstCache?.store(result)]);
      return await readAssembly(result);
    },
    /** Whether the last synthesis was that of an earlier start. */
    isReused: () => isReused,
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

function runJob(worker: Worker): Promise<SynthesisResult> {
  worker.ref();
  return new Promise((onResult, onFailure) => {
    worker.once("message", (result: SynthesisResult | SynthesisFailure) => {
      if ("message" in result)
        onFailure(new CommandError(`The stack can't be synthesized: ${result.message}`));
      else onResult(result);
    });
    worker.once("error", onFailure);
    worker.once("exit", () => onFailure(new CommandError("The CDK app exited before it was synthesized.")));
    worker.postMessage("synthesize");
  });
}

async function readAssembly(result: SynthesisResult): Promise<SynthesizedStack> {
  const [template, manifest] = await Promise.all(
    [result.templateFile, result.assetManifestFile].map(async (file) =>
      JSON.parse(await readFile(file, "utf8")),
    ),
  );
  return {
    stackName: result.stackName,
    template: template as Template,
    assetDirectories: assetDirectories(manifest, dirname(result.assetManifestFile)),
  };
}

function assetDirectories({ files = {} }: AssetManifest, directory: string): Record<string, string> {
  const zipped = Object.values(files).filter(({ source }) => String(source.packaging) === "zip");
  return Object.fromEntries(
    zipped.flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }) => [objectKey, resolve(directory, source.path ?? "")]),
    ),
  );
}
