import type { TestProject } from "vitest/node";
import { assembliesOfRun, synthesizeOnce } from "./infra/synthesize-once.ts";

export async function setup(project: TestProject): Promise<void> {
  for (const name of ["dev", "prod", "configured", "fixture"] as const) await synthesizeOnce(name);
  project.provide("assemblies", assembliesOfRun());
}
