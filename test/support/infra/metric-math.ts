import { runInNewContext } from "node:vm";

/** A metric's value in a period; undefined for none. */
type Value = number | undefined;

/** The part of CloudWatch's metric math that this stack uses. A missing value makes arithmetic NaN. */
const functions = {
  SERVICE_QUOTA: () => 1_000,
  IF: (condition: boolean, met: number, otherwise: number) => (condition ? met : otherwise),
  FILL: (value: Value, filling: number) => value ?? filling,
  MAX: (values: number[]) => Math.max(...values),
  SUM: (values: number[]) => values.reduce((sum, value) => sum + value, 0),
};

/** Evaluates an expression of metric math for one period; NaN for no value. @throws Error if it has an unknown name */
export function metricMath(expression: string, metrics: Readonly<Record<string, Value>>): number {
  return Number(runInNewContext(expression, { ...functions, ...metrics }));
}
