import { rmSync } from "node:fs";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";

/**
 * Synthesizes a stack with only a part of the service.
 *
 * @param declare declares the part
 */
export function synthesizePart<T>(declare: (stack: Stack) => T) {
  const app = new App({ analyticsReporting: false });
  const stack = new Stack(app, "Part");
  const declared = declare(stack);
  const template = Template.fromStack(stack);
  // The template is in memory, and its file is in a temporary directory that CDK does not remove.
  rmSync(app.outdir, { recursive: true });
  return { stack, declared, template };
}
