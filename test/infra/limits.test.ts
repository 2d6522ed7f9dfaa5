import { Stack } from "aws-cdk-lib";
import type { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Table } from "aws-cdk-lib/aws-dynamodb";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TableDefinition } from "../../functions/define-area.ts";
import { tables } from "../../functions/definitions.ts";
import { lambdas, reservedConcurrency } from "../../infra/lambdas.ts";
import { throttledRequests } from "../../infra/monitoring/alarm-metrics.ts";
import { resolveStage } from "../../infra/settings/stages.ts";

it.each([
  [4, [10]],
  [5, [6, 6]],
  [20, [9, 9, 8, 8, 8]],
])("the alarm of a table with %i indexes has as many parts as 10 metrics each take", (count, sizes) => {
  const indexes = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`by-${i}`, { partitionKey: [`a${i}`, "S"] as const }]),
  );
  (tables as Record<string, TableDefinition>).indexed = { hasIds: true, indexes };
  onTestFinished(() => {
    delete (tables as Record<string, TableDefinition>).indexed;
  });
  const parts = throttledRequests("indexed", Table.fromTableName(new Stack(), "Table", "indexed"));
  expect(parts.map(({ usingMetrics }) => Object.keys(usingMetrics).length)).toEqual(sizes);
  const metrics = parts.flatMap(({ usingMetrics }) => Object.values(usingMetrics) as Metric[]);
  expect(new Set(metrics.map(({ metricName, label }) => `${metricName} of ${label}`)).size).toBe(
    2 * (count + 1),
  );
});

describe("reserved concurrency", () => {
  const names = Object.keys(lambdas);
  const reserved = (lambdaConcurrency?: string) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const reserved = reservedConcurrency(name, resolveStage("dev", { lambdaConcurrency }));
        return reserved === undefined ? [] : [[name, reserved]];
      }),
    );

  it("is not set without the account's quota, or if too little would be left for other functions", () => {
    expect(reserved()).toEqual({});
    expect(reserved("10")).toEqual({});
    // AWS requires that 100 are left.
    const shares = Object.values(lambdas).reduce((sum, { size }) => sum + (size.concurrencyShare ?? 0), 0);
    const quota = Math.floor(100 / (1 - shares));
    expect(reserved(String(quota - 1))).toEqual({});
  });

  it("is 5 % for accounts and fallback, and 10 % for logins", () => {
    expect(reserved("251")).toMatchObject({ accounts: 12, fallback: 12, login: 25 });
    expect(reserved("1000")).toMatchObject({ accounts: 50, fallback: 50, login: 100 });
  });
});
