import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { createSynthesizer, defaultApp } from "../../local/stack/synthesize.ts";
import { type AssemblyName, configuredStage } from "./infra/assembly.ts";

const fixtureApp = new URL("../local/fixtures/app.ts", import.meta.url);

/** The app of each cloud assembly and what it is synthesized with. */
const assemblies: Readonly<
  Record<AssemblyName, { app: URL; props: { stage: string; [name: string]: string } }>
> = {
  dev: { app: defaultApp, props: { stage: "dev" } },
  prod: {
    app: defaultApp,
    props: { stage: "prod", origins: "https://www.example.com,https://shop.example.com" },
  },
  configured: { app: defaultApp, props: configuredStage },
  fixture: { app: fixtureApp, props: { stage: "dev" } },
};

/** Synthesizes each stage and the fixture's app once, for all tests of one project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "resource-api-assemblies-"));
  for (const [name, { app, props }] of Object.entries(assemblies)) {
    const synthesizer = createSynthesizer(app, { ...props, outdir: join(directory, name) }, false);
    await synthesizer.synthesize();
    await synthesizer.close();
  }
  project.provide("assemblies", directory);
  return () => rm(directory, { recursive: true });
}
