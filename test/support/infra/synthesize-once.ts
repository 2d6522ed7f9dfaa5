import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSynthesizer, defaultApp } from "../../../local/stack/synthesize.ts";
import { type AssemblyName, appOfAssembly, configuredStage } from "./assembly.ts";

const fixtureApp = new URL("../../local/fixtures/app.ts", import.meta.url);

/** The app of each cloud assembly and what it is synthesized with. */
const apps: Readonly<Record<AssemblyName, { app: URL; props: { stage: string; [name: string]: string } }>> = {
  dev: { app: defaultApp, props: { stage: "dev" } },
  prod: {
    app: defaultApp,
    props: { stage: "prod", origins: "https://www.example.com,https://shop.example.com" },
  },
  configured: { app: defaultApp, props: configuredStage },
  fixture: { app: fixtureApp, props: { stage: "dev" } },
};

interface Assemblies {
  readonly directory: string;
  readonly synthesized: Map<AssemblyName, Promise<void>>;
}

/** Each project loads a copy of this module, so the process has what they share. */
const shared = globalThis as { assembliesOfTestRun?: Assemblies };

function assemblies(): Assemblies {
  if (shared.assembliesOfTestRun === undefined) {
    const directory = mkdtempSync(join(tmpdir(), "resource-api-assemblies-"));
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
    shared.assembliesOfTestRun = { directory, synthesized: new Map() };
  }
  return shared.assembliesOfTestRun;
}

/** The directory with the cloud assemblies of this test run. */
export function assembliesOfRun(): string {
  return assemblies().directory;
}

/**
 * Synthesizes an app once in a test run, for the global setups of all projects.
 *
 * @returns the module of an app that returns the cloud assembly
 */
export async function synthesizeOnce(name: AssemblyName): Promise<URL> {
  const { directory, synthesized } = assemblies();
  const outdir = join(directory, name);
  const begun = synthesized.get(name) ?? synthesize(name, outdir);
  synthesized.set(name, begun);
  await begun;
  return appOfAssembly(outdir);
}

async function synthesize(name: AssemblyName, outdir: string): Promise<void> {
  const { app, props } = apps[name];
  const synthesizer = createSynthesizer(app, { ...props, outdir }, false);
  await synthesizer.synthesize();
  await synthesizer.close();
}
