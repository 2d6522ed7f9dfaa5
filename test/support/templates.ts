import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { createApp } from "../../infra/app.ts";

type AppProps = NonNullable<Parameters<typeof createApp>[0]>;

/** A resource as CloudFormation is given it. */
export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of it is what it tests
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: readonly string[];
}

/**
 * Synthesizes the stack as `cdk deploy` does, and leaves nothing behind.
 *
 * @param props the stage and its settings
 */
export function templateOf(props: AppProps): Template {
  const outdir = mkdtempSync(join(tmpdir(), "resource-api-"));
  try {
    const [stack] = createApp({ ...props, outdir }).synth().stacks;
    if (!stack) throw new Error("The app has no stack");
    return Template.fromJSON(stack.template);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** The resources of a type by their logical ids; all of them when none is given. */
export function resourcesOf(template: Template, type?: string): [id: string, Resource][] {
  const resources = Object.entries(template.toJSON().Resources as Record<string, Resource>);
  return resources.filter(([, resource]) => type === undefined || resource.Type === type);
}
