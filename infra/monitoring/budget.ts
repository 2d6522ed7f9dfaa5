import type { Stack } from "aws-cdk-lib";
import { CfnBudget, CfnBudgetsAction } from "aws-cdk-lib/aws-budgets";
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Functions } from "../functions.ts";
import type { Stage } from "../settings/stages.ts";

/** When the budget alerts: at this percentage of the month's costs, actual or forecast. */
const alerts = [
  { notificationType: "ACTUAL", threshold: 80 },
  { notificationType: "FORECASTED", threshold: 100 },
] as const;

/** Of the whole account: AWS assigns costs to a stage only after its tag was activated for that. */
export function budget(
  stack: Stack,
  { monthlyBudget: amount, alarmEmail: address, stopAtBudget }: Stage,
  lambdas: Functions,
): void {
  if (!amount || !address) return;
  const { ref: budgetName } = new CfnBudget(stack, "Budget", {
    budget: {
      budgetName: `${stack.stackName}-${stack.region}`,
      budgetType: "COST",
      timeUnit: "MONTHLY",
      budgetLimit: { amount, unit: "USD" },
    },
    notificationsWithSubscribers: alerts.map((alert) => ({
      notification: { ...alert, comparisonOperator: "GREATER_THAN", thresholdType: "PERCENTAGE" },
      subscribers: [{ subscriptionType: "EMAIL", address }],
    })),
  });
  if (!stopAtBudget) return;
  const roles = [...lambdas.values()].flatMap(({ role = [] }) => role);
  const policyArn = ManagedPolicy.fromAwsManagedPolicyName("AWSDenyAll").managedPolicyArn;
  const role = new Role(stack, "BudgetRole", { assumedBy: new ServicePrincipal("budgets.amazonaws.com") });
  role.addToPolicy(
    new PolicyStatement({
      actions: ["iam:AttachRolePolicy", "iam:DetachRolePolicy"],
      resources: roles.map(({ roleArn }) => roleArn),
      conditions: { ArnEquals: { "iam:PolicyARN": policyArn } },
    }),
  );
  new CfnBudgetsAction(stack, "BudgetAction", {
    budgetName,
    actionType: "APPLY_IAM_POLICY",
    approvalModel: "AUTOMATIC",
    notificationType: "ACTUAL",
    actionThreshold: { type: "PERCENTAGE", value: 100 },
    definition: { iamActionDefinition: { policyArn, roles: roles.map(({ roleName }) => roleName) } },
    executionRoleArn: role.roleArn,
    subscribers: [{ type: "EMAIL", address }],
  }).node.addDependency(role);
}
