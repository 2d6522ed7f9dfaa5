import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { defaultApp } from "../../../local/stack/synthesize.ts";
import { type AssemblyName, appOfAssembly, configuredStage } from "./assembly.ts";
import type { SynthesisMessage } from "./synthesis-worker.ts";

const origins = "https://www.example.com,https://shop.example.com";
const prodStage = { stage: "prod", origins, alarmEmail: "none", access: "specified" };
const fixtureApp = new URL("../../local/fixtures/app.ts", import.meta.url);

const apps: Readonly<Record<AssemblyName, { app: URL; props: { stage: string; [name: string]: string } }>> = {
  dev: { app: defaultApp, props: { stage: "dev" } },
  prod: { app: defaultApp, props: prodStage },
  configured: { app: defaultApp, props: configuredStage },
  fixture: { app: fixtureApp, props: { stage: "dev" } },
};

interface Assemblies {
  readonly directory: string;
  readonly worker: Worker;
  /** Ends with the last synthesis that was begun. */
  last: Promise<void>;
  readonly synthesized: Map<AssemblyName, Promise<void>>;
}

let started: Assemblies | undefined;

function assemblies(): Assemblies {
  if (started === undefined) {
    const directory = mkdtempSync(join(tmpdir(), "assemblies-"));
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
    const worker = new Worker(new URL("./synthesis-worker.ts", import.meta.url), {
      execArgv: [],
      // Takes several times as long as the synthesis.
      env: { ...process.env, CDK_VALIDATION: "false" },
    });
    worker.unref();
    started = { directory, worker, last: Promise.resolve(), synthesized: new Map() };
  }
  return started;
}

export function assembliesOfRun(): string {
  return assemblies().directory;
}

/** Synthesizes an app once for all projects. @returns the module of an app that returns the assembly */
export async function synthesizeOnce(name: AssemblyName): Promise<URL> {
  const all = assemblies();
  let begun = all.synthesized.get(name);
  if (begun === undefined) {
    begun = all.last.then(() => synthesize(name, all));
    all.synthesized.set(name, begun);
    all.last = begun;
  }
  await begun;
  return appOfAssembly(join(all.directory, name));
}

/** The stages have the same functions: each is synthesized at the same path, where it finds the bundles of the last. */
async function synthesize(name: AssemblyName, { directory, worker }: Assemblies): Promise<void> {
  const { app, props } = apps[name];
  const outdir = join(directory, "current");
  const bundles = join(directory, "bundles");
  mkdirSync(outdir);
  if (existsSync(bundles)) renameSync(bundles, join(outdir, "bundles"));
  worker.postMessage({ app: app.href, props: { ...props, outdir } } satisfies SynthesisMessage);
  await once(worker, "message");
  if (existsSync(join(outdir, "bundles"))) renameSync(join(outdir, "bundles"), bundles);
  renameSync(outdir, join(directory, name));
}
