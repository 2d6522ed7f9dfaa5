import { CfnOutput, CfnResource, type Stack } from "aws-cdk-lib";
import { CfnRoute } from "aws-cdk-lib/aws-apigatewayv2";
import { CfnPolicy } from "aws-cdk-lib/aws-iam";
import { CfnFunction } from "aws-cdk-lib/aws-lambda";

/** What a reference may stand for: a function's ARN with the longest name, its version, or an account or region. */
const REFERENCE_LENGTH = { resource: 120, version: 8, pseudo: 16 };

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
    ...all.flatMap((each): Measured[] => {
      if (each instanceof CfnFunction) return [environmentOf(stack, each)];
      if (!(each instanceof CfnPolicy)) return [];
      const { length } = lengthened(stack.resolve(each.policyDocument));
      return [[`characters of ${each.node.path}`, length, 10_240, "Grant less in `uses`"]];
    }),
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

function bytesOf(value: unknown): number {
  return Buffer.byteLength(lengthened(value));
}

/** A value as JSON, in which references have the length of what they stand for. */
function lengthened(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    const [[name, argument] = [""]] = typeof each === "object" ? Object.entries(each ?? {}) : [];
    if (name === "Fn::Join")
      return (argument as [string, unknown[]])[1].map((part) => JSON.parse(lengthened(part))).join("");
    if (name !== "Ref" && !name.startsWith("Fn::")) return each;
    const text = String(argument);
    const kind = text.startsWith("AWS::") ? "pseudo" : text.endsWith(",Version") ? "version" : "resource";
    return "-".repeat(REFERENCE_LENGTH[kind]);
  });
}
