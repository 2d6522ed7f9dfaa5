import { ReadBudget } from "../../../lib/domain/read-budget.ts";

/** A budget without a time limit. */
export function budgetOf(bytes = Number.POSITIVE_INFINITY): ReadBudget {
  return new ReadBudget(() => new AbortController().signal, bytes);
}
