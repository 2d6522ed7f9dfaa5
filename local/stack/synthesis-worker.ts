import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { App } from "aws-cdk-lib";
import type { SynthesizedStack } from "./template.ts";

/** What the worker loads when it starts, and synthesizes at its first message. */
export interface SynthesisJob {
  readonly app: string;
  readonly props: AppProps;
  readonly cdkModules: readonly string[];
}

export interface AppProps {
  readonly stage: string;
  readonly outdir: string;
  readonly [setting: string]: string;
}

export interface SynthesisResult extends SynthesizedStack {
  /** The files of the CDK modules that the app loaded. */
  readonly cdkModules: readonly string[];
}

// The CDK passes it to the programs that bundle assets, for which Node wants a file.
Object.assign(process.stderr, { fd: 2 });

const require = createRequire(import.meta.url);
const { app, props, cdkModules } = workerData as SynthesisJob;
for (const file of cdkModules) require(file);
// Importing a CommonJS module makes Node parse it for its export names; `aws-cdk-lib` has by far the most.
if (cdkModules.length > 0) await import("aws-cdk-lib");

const children: ChildProcess[] = [];
subscribe("child_process", (message) => children.push((message as { process: ChildProcess }).process));

parentPort?.once("message", async () => {
  const result = await synthesize().finally(endChildren);
  parentPort?.postMessage(result);
});

/** The bundler's process would become a zombie: nothing notices its end once this thread has ended. */
async function endChildren(): Promise<void> {
  for (const child of children.filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  )) {
    child.ref();
    child.kill();
    await once(child, "exit");
  }
}

async function synthesize(): Promise<SynthesisResult> {
  const { createApp }: { createApp(props: AppProps): App | Promise<App> } = await import(app);
  const assembly = (await createApp(props)).synth();
  const [stack, ...others] = assembly.stacks;
  if (stack === undefined || others.length > 0)
    throw new Error(`the app must have one stack, not ${assembly.stacks.length}`);
  const error = stack.messages.find((message) => message.level === "error");
  if (error !== undefined) throw new Error(`${error.id}: ${JSON.stringify(error.entry.data)}`);
  return {
    stackName: stack.stackName,
    template: stack.template,
    directory: assembly.directory,
    cdkModules: loadedCdkModules(),
  };
}

function loadedCdkModules(): string[] {
  return Object.keys(require.cache).filter((file) =>
    /[/\\]aws-cdk-lib[/\\]([\w-]+[/\\])?index\.js$/.test(file),
  );
}
