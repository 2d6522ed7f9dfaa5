import { CfnOutput, CfnResource, type Stack } from "aws-cdk-lib";
import { CfnRoute } from "aws-cdk-lib/aws-apigatewayv2";
import { CfnPolicy } from "aws-cdk-lib/aws-iam";
import { CfnFunction } from "aws-cdk-lib/aws-lambda";

/** Lets the synthesis fail, naming what is too much, where AWS would refuse in the middle of a deployment. */
export function checkLimits(stack: Stack): void {
  stack.node.addValidation({ validate: () => exceededLimits(stack) });
}

type Measured = readonly [what: string, count: number, allowed: number, way: string];

/** AWS's quotas of what grows with areas and settings. */
function exceededLimits(stack: Stack): string[] {
  const all = stack.node.findAll();
  const of = (Type: typeof CfnOutput | typeof CfnRoute) => all.filter((each) => each instanceof Type).length;
  const resources = all.filter(CfnResource.isCfnResource).length;
  const other = "Leave areas out, or make a second service of some: one takes about 20 resources";
  const measured: readonly Measured[] = [
    ["resources of the stack", resources, 500, other],
    ["outputs of the stack", of(CfnOutput), 200, other],
    ["routes of the API", of(CfnRoute), 300, other],
    ...all.filter((each) => each instanceof CfnFunction).map((each) => environmentOf(stack, each)),
    ...all.filter((each) => each instanceof CfnPolicy).map((each) => policyOf(stack, each)),
  ];
  const number = (count: number) => count.toLocaleString("en");
  return measured
    .filter(([, count, allowed]) => count > allowed)
    .map(([what, count, allowed, way]) => `${number(count)} ${what}; AWS allows ${number(allowed)}. ${way}.`);
}

function environmentOf(stack: Stack, lambda: CfnFunction): Measured {
  const { variables = {} } = (stack.resolve(lambda.environment) ?? {}) as { variables?: object };
  const sizes = Object.entries(variables).map(([name, value]) => [bytesOf(value), name] as const);
  const [[bytes, name] = []] = sizes.toSorted(([a], [b]) => b - a);
  const way = `Shorten the largest variable, ${name} with ${bytes} bytes, and the setting that it comes from`;
  return [`bytes of the environment of ${lambda.node.path}`, bytesOf(variables), 4_096, way];
}

function policyOf(stack: Stack, { node, policyDocument }: CfnPolicy): Measured {
  const { length } = lengthened(stack.resolve(policyDocument));
  return [`characters of ${node.path}`, length, 10_240, "Grant less in `uses`"];
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(lengthened(value));
}

/** A value as JSON, in which references have the length of what they stand for. */
function lengthened(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    const [[name, argument] = [""]] = typeof each === "object" ? Object.entries(each ?? {}) : [];
    if (name === "Fn::Join")
      return (argument as [string, unknown[]])[1].map((part) => JSON.parse(lengthened(part))).join("");
    return /^(Ref$|Fn::)/.test(name) ? "-".repeat(lengthOf(String(argument))) : each;
  });
}

/** Of what a reference stands for: an account or region, a version, or a function's ARN with the longest name. */
function lengthOf(reference: string): number {
  if (reference.startsWith("AWS::")) return 16;
  return reference.endsWith(",Version") ? 8 : 120;
}
