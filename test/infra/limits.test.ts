import { App, CfnOutput, CfnResource, Fn, Stack } from "aws-cdk-lib";
import { CfnRoute } from "aws-cdk-lib/aws-apigatewayv2";
import type { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Table } from "aws-cdk-lib/aws-dynamodb";
import { CfnPolicy } from "aws-cdk-lib/aws-iam";
import { CfnFunction } from "aws-cdk-lib/aws-lambda";
import { describe, expect, it, onTestFinished } from "vitest";
import { tables } from "../../functions/definitions.ts";
import { lambdas, reservedConcurrency } from "../../infra/lambdas.ts";
import { checkLimits } from "../../infra/limits.ts";
import { throttledRequests } from "../../infra/monitoring/alarm-metrics.ts";
import { resolveStage } from "../../infra/settings/stages.ts";

const each = (add: (stack: Stack, i: number) => unknown) => (stack: Stack, size: number) => {
  for (let i = 0; i < size; i += 1) add(stack, i);
};
const addResource = each((stack, i) => new CfnResource(stack, `R${i}`, { type: "A::B::C" }));
const addOutput = each((stack, i) => new CfnOutput(stack, `O${i}`, { value: "a" }));
const addRoute = each((stack, i) => new CfnRoute(stack, `R${i}`, { apiId: "a", routeKey: `GET /${i}` }));
const addFunction = (stack: Stack, variables: Record<string, string>) =>
  new CfnFunction(stack, "F", { code: {}, role: "", environment: { variables } });

/** What is refused, the largest size that is not, and what adds as much to a stack. */
const limits: readonly [message: string, largest: number, add: (stack: Stack, size: number) => void][] = [
  ["501 resources of the stack; AWS allows 500", 500, addResource],
  ["201 outputs of the stack; AWS allows 200", 200, addOutput],
  ["301 routes of the API; AWS allows 300", 300, addRoute],
  [
    // {"A":"ä…"}
    "4,097 bytes of the environment of Default/F; AWS allows 4,096. Shorten the largest variable, A with 4091 bytes",
    4_087,
    (stack, size) => addFunction(stack, { A: `ä${"a".repeat(size - 1)}` }),
  ],
  [
    // A reference has the length of what it may stand for.
    "4,097 bytes of the environment of Default/F",
    3_960,
    (stack, size) => addFunction(stack, { A: "a".repeat(size), B: Fn.join("", ["a", Fn.ref("Table")]) }),
  ],
  [
    "10,241 characters of Default/P; AWS allows 10,240",
    10_177,
    (stack, size) =>
      new CfnPolicy(stack, "P", {
        policyName: "p",
        policyDocument: { Statement: [{ Effect: "Allow", Action: "a:B", Resource: "a".repeat(size) }] },
      }),
  ],
];

describe("a stack", () => {
  const synthesize = (fill: (stack: Stack) => void) => {
    const stack = new Stack(new App(), "Default");
    fill(stack);
    checkLimits(stack);
    return (stack.node.root as App).synth();
  };

  it.each(limits)("is refused with %s", (message, largest, add) => {
    expect(() => synthesize((stack) => add(stack, largest))).not.toThrow();
    expect(() => synthesize((stack) => add(stack, largest + 1))).toThrow(message);
  });
});

it.each([
  [4, [10]],
  [5, [6, 6]],
  [20, [9, 9, 8, 8, 8]],
])("the alarm of a table with %i indexes has as many parts as 10 metrics each take", (count, sizes) => {
  const indexes = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`by-${i}`, { partitionKey: [`a${i}`, "S"] as const }]),
  );
  Object.assign(tables, { indexed: { hasIds: true, indexes } });
  onTestFinished(() => void Reflect.deleteProperty(tables, "indexed"));
  const parts = throttledRequests("indexed", Table.fromTableName(new Stack(), "Table", "indexed"));
  expect(parts.map(({ usingMetrics }) => Object.keys(usingMetrics).length)).toEqual(sizes);
  const metrics = parts.flatMap(({ usingMetrics }) => Object.values(usingMetrics) as Metric[]);
  const names = new Set(metrics.map(({ metricName, label }) => `${metricName} of ${label}`));
  expect(names.size).toBe(2 * (count + 1));
});

it("no concurrency is reserved without the account's quota, or if too little would be left for other functions", () => {
  // AWS requires that 100 are left.
  const shares = Object.values(lambdas).reduce((sum, { size }) => sum + (size.concurrencyShare ?? 0), 0);
  const quota = Math.floor(100 / (1 - shares));
  for (const lambdaConcurrency of [undefined, "10", String(quota - 1)]) {
    const stage = resolveStage("dev", { lambdaConcurrency });
    for (const name of Object.keys(lambdas)) expect(reservedConcurrency(name, stage), name).toBeUndefined();
  }
});
