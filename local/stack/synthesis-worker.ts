import { createRequire, enableCompileCache } from "node:module";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { App } from "aws-cdk-lib";
import { failureText } from "./error-text.ts";

/** What the worker does before there is a job. */
export interface SynthesisPreparation {
  /** Modules of the CDK, by file, to load: they are most of the app's loading time. */
  readonly cdkModules: readonly string[];
  /** Where Node keeps what it has compiled, if anywhere. It compares the contents: what has changed is compiled again. */
  readonly compileCache: string | undefined;
}

/** What the worker is told to synthesize. */
export interface SynthesisJob {
  /** The URL of the app's module. */
  readonly app: string;
  readonly props: AppProps;
}

export interface AppProps {
  /** `dev` or `prod`. */
  readonly stage: string;
  /** Where the cloud assembly goes. */
  readonly outdir: string;
  /** The stage's settings by name; those that are not given have the stage's own values. */
  readonly [setting: string]: string;
}

/** Why there is no cloud assembly. */
export interface SynthesisFailure {
  readonly failure: string;
  /** The setting that does not fit, and what it has to be; absent when it is something else. */
  readonly setting?: { readonly name: string; readonly expectation: string };
}

/** Where the cloud assembly has the parts of the stack. */
export interface SynthesisResult {
  readonly stackName: string;
  readonly templateFile: string;
  readonly assetManifestFile: string;
  /** The CDK modules that the app has loaded. */
  readonly cdkModules: readonly string[];
}

interface AppModule {
  createApp(props: AppProps): App;
}

const require = createRequire(import.meta.url);
const { cdkModules, compileCache } = workerData as SynthesisPreparation;
if (compileCache !== undefined) enableCompileCache(compileCache);
for (const file of cdkModules) require(file);
// Node reads a CommonJS module once more for the names that it exports; this one has by far the most.
if (cdkModules.length > 0) await import("aws-cdk-lib");

parentPort?.once("message", async (job: SynthesisJob) => {
  try {
    parentPort?.postMessage(await synthesize(job));
  } catch (error) {
    parentPort?.postMessage({ failure: failureText(error), ...settingOf(error) } satisfies SynthesisFailure);
  }
});

async function synthesize({ app, props }: SynthesisJob): Promise<SynthesisResult> {
  const { createApp }: AppModule = await import(app);
  const assembly = createApp(props).synth();
  const [stack, ...others] = assembly.stacks;
  if (stack === undefined || others.length > 0) {
    throw new Error(`the app has ${assembly.stacks.length} stacks instead of one`);
  }
  const complaint = stack.messages.find((message) => message.level === "error");
  if (complaint !== undefined) throw new Error(`${complaint.id}: ${JSON.stringify(complaint.entry.data)}`);
  return {
    stackName: stack.stackName,
    templateFile: stack.templateFullPath,
    assetManifestFile: join(assembly.directory, `${stack.id}.assets.json`),
    cdkModules: loadedCdkModules(),
  };
}

/** The entry files of the CDK's packages, as in `aws-cdk-lib/aws-lambda`. */
function loadedCdkModules(): string[] {
  return Object.keys(require.cache).filter((file) =>
    /[/\\]aws-cdk-lib[/\\]([\w-]+[/\\])?index\.js$/.test(file),
  );
}

/** The app's own word for a setting that does not fit, in whatever class it says so. */
function settingOf(error: unknown): Pick<SynthesisFailure, "setting"> {
  const { setting: name, expectation } = Object(error);
  return typeof name === "string" && typeof expectation === "string"
    ? { setting: { name, expectation } }
    : {};
}
