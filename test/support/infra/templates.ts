import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { createApp } from "../../../infra/app.ts";
import { readTemplateFile } from "./assembly.ts";

type AppProps = NonNullable<Parameters<typeof createApp>[0]>;

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests check what they read
  readonly Properties: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests check what they read
  readonly UpdatePolicy?: any;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: readonly string[];
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

/** The template of a stage with its default settings, or of `configuredStage`; synthesized once for all tests. */
export function stageTemplate(stage: "dev" | "prod" | "configured"): Template {
  return Template.fromJSON(readTemplateFile(stage));
}

/** Synthesizes the stack with other settings, which takes a second. */
export async function templateOf(props: AppProps): Promise<Template> {
  const outdir = mkdtempSync(join(tmpdir(), "service-"));
  try {
    const [stack] = (await createApp({ ...props, outdir })).synth().stacks;
    if (!stack) throw new Error("The app has no stack");
    return Template.fromJSON(stack.template);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** The resources of a type by their logical ids; by default all of them. */
export function resourcesOf(template: Template, type?: string): [id: string, Resource][] {
  const resources = Object.entries(template.toJSON().Resources as Record<string, Resource>);
  return resources.filter(([, resource]) => type === undefined || resource.Type === type);
}
