import type { Stack } from "aws-cdk-lib";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";

/** When the budget alerts: at this percentage of the month's costs, actual or forecast. */
const alerts = [
  { notificationType: "ACTUAL", threshold: 80 },
  { notificationType: "FORECASTED", threshold: 100 },
] as const;

/**
 * A monthly budget in US dollars that alerts by e-mail. It covers the whole account: AWS assigns costs to a stage only
 * after its tag was activated for cost allocation.
 */
export function budget(stack: Stack, dollars: number, email: string): void {
  new CfnBudget(stack, "Budget", {
    budget: {
      budgetName: `${stack.stackName}-${stack.region}`,
      budgetType: "COST",
      timeUnit: "MONTHLY",
      budgetLimit: { amount: dollars, unit: "USD" },
    },
    notificationsWithSubscribers: alerts.map((alert) => ({
      notification: { ...alert, comparisonOperator: "GREATER_THAN", thresholdType: "PERCENTAGE" },
      subscribers: [{ subscriptionType: "EMAIL", address: email }],
    })),
  });
}
