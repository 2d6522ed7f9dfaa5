import { parentPort } from "node:worker_threads";
import { type App, AssetStaging } from "aws-cdk-lib/core";
import type { AppProps } from "../../../local/stack/synthesis-worker.ts";

/** Synthesizes an app for each message. One thread for all of them loads the CDK once. */
export interface SynthesisMessage {
  readonly app: string;
  readonly props: AppProps;
}

// As in local/stack/synthesis-worker.ts.
Object.assign(process.stderr, { fd: 2 });

parentPort?.on("message", async ({ app, props }: SynthesisMessage) => {
  const { createApp }: { createApp(props: AppProps): App | Promise<App> } = await import(app);
  // The CDK remembers the bundles that it has copied, although they have to be in each assembly.
  AssetStaging.clearAssetHashCache();
  (await createApp(props)).synth();
  parentPort?.postMessage("synthesized");
});
