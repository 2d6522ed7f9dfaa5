import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import type { App } from "aws-cdk-lib";
import type { SynthesizedStack } from "./template.ts";

export interface SynthesisJob {
  readonly app: string;
  readonly props: AppProps;
}

export interface AppProps {
  readonly stage: string;
  readonly outdir: string;
  readonly [setting: string]: string;
}

// The CDK passes it to the programs that bundle assets, for which Node wants a file.
Object.assign(process.stderr, { fd: 2 });

const children: ChildProcess[] = [];
subscribe("child_process", (message) => children.push((message as { process: ChildProcess }).process));

parentPort?.postMessage(await synthesize(workerData).finally(endChildren));

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

async function synthesize({ app, props }: SynthesisJob): Promise<SynthesizedStack> {
  const { createApp }: { createApp(props: AppProps): App | Promise<App> } = await import(app);
  const assembly = (await createApp(props)).synth();
  const [stack, ...others] = assembly.stacks;
  if (stack === undefined || others.length > 0)
    throw new Error(`the app must have one stack, not ${assembly.stacks.length}`);
  const error = stack.messages.find((message) => message.level === "error");
  if (error !== undefined) throw new Error(`${error.id}: ${JSON.stringify(error.entry.data)}`);
  return { stackName: stack.stackName, template: stack.template, directory: assembly.directory };
}
