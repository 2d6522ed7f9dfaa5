import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { variableOf } from "../cli/settings.ts";
import { StartError } from "../start-error.ts";
import type { Template } from "./intrinsics.ts";
import type {
  AppProps,
  SynthesisFailure,
  SynthesisJob,
  SynthesisPreparation,
  SynthesisResult,
} from "./synthesis-worker.ts";
import type { SynthesizedStack } from "./template.ts";

/** The CDK app's module: it exports `createApp(props)`, an app with one stack. */
export const defaultApp = new URL("../../infra/app.ts", import.meta.url);

/** Synthesizes the app again and again, each time with the code as it then is. */
export interface Synthesizer {
  /**
   * @returns the stack's template and assets
   * @throws {StartError} with the app's own message, when the app can't be loaded or synthesized
   */
  synthesize(): Promise<SynthesizedStack>;
  close(): Promise<void>;
}

/**
 * Prepares synthesis in worker threads: there the CDK blocks nobody, its memory is free again afterwards, and
 * the app's modules are read afresh each time.
 *
 * @param app the module that exports `createApp`
 * @param props what `createApp` gets
 * @param keepReady whether to have the CDK loaded, after the first time, for the next one
 * @param compileCache a directory for what Node has compiled, worth it where a next time finds it; none unless told
 */
export function createSynthesizer(
  app: URL,
  props: AppProps,
  keepReady: boolean,
  compileCache?: string,
): Synthesizer {
  let prepared: Worker | undefined = startWorker({ cdkModules: [], compileCache });
  let ended: Promise<unknown> = Promise.resolve();

  return {
    async synthesize() {
      const worker = prepared ?? startWorker({ cdkModules: [], compileCache });
      prepared = undefined;
      try {
        const result = await runJob(worker, { app: app.href, props });
        if (keepReady) prepared = startWorker({ cdkModules: result.cdkModules, compileCache });
        return await readStack(result);
      } finally {
        // Not waited for: what it has compiled is written down first, which takes as long as the synthesis.
        ended = Promise.all([ended, worker.terminate()]);
      }
    },
    async close() {
      await Promise.all([prepared?.terminate(), ended]);
      prepared = undefined;
    },
  };
}

function startWorker(preparation: SynthesisPreparation): Worker {
  const worker = new Worker(new URL("./synthesis-worker.ts", import.meta.url), {
    // The deployment validates the template; here that would take longer than all the rest.
    env: { ...process.env, CDK_VALIDATION: "false" },
    execArgv: [],
    workerData: preparation,
  });
  worker.unref();
  return worker;
}

function runJob(worker: Worker, job: SynthesisJob): Promise<SynthesisResult> {
  worker.ref();
  return new Promise((onResult, onFailure) => {
    worker.once("message", (message: SynthesisResult | SynthesisFailure) => {
      if ("failure" in message) onFailure(startError(message));
      else onResult(message);
    });
    worker.once("error", onFailure);
    worker.once("exit", () => onFailure(new StartError("The CDK app ended before it was synthesized.")));
    worker.postMessage(job);
  });
}

function startError({ failure, setting }: SynthesisFailure): StartError {
  const variable = setting && variableOf(setting.name);
  return new StartError(
    setting && variable
      ? `${variable} ${setting.expectation}.`
      : `The stack can't be synthesized: ${failure}`,
  );
}

interface AssetManifest {
  readonly files?: Readonly<Record<string, AssetFile>>;
}

interface AssetFile {
  readonly source: { readonly path?: string; readonly packaging?: string };
  readonly destinations: Readonly<Record<string, { readonly objectKey: string }>>;
}

async function readStack(result: SynthesisResult): Promise<SynthesizedStack> {
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

function assetDirectories(manifest: AssetManifest, base: string): Record<string, string> {
  const zipped = Object.values(manifest.files ?? {}).filter(({ source }) => source.packaging === "zip");
  return Object.fromEntries(
    zipped.flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }) => [objectKey, resolve(join(base, source.path ?? ""))]),
    ),
  );
}
