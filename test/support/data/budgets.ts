import { ReadBudget } from "../../../lib/domain/read-budget.ts";

export function budgetOf(bytes = Number.POSITIVE_INFINITY): ReadBudget {
  return new ReadBudget(() => new AbortController().signal, bytes);
}
