import { describe, expect, it } from "vitest";
import { resourcesOf, stageTemplate } from "../../support/infra/templates.ts";

const template = stageTemplate("configured");

function only(type: string) {
  const found = resourcesOf(template, type);
  expect(found).toHaveLength(1);
  return found[0]?.[1].Properties ?? {};
}

describe("the budget", () => {
  it("alerts before its amount is spent", () => {
    const { Budget: budget, NotificationsWithSubscribers: alerts } = only("AWS::Budgets::Budget");
    expect(budget).toMatchObject({ BudgetLimit: { Amount: 50, Unit: "USD" }, TimeUnit: "MONTHLY" });
    expect(alerts).toMatchObject([
      { Notification: { NotificationType: "ACTUAL", Threshold: 80 } },
      { Notification: { NotificationType: "FORECASTED", Threshold: 100 } },
    ]);
  });

  it("takes every function's permissions when it is exceeded, and may attach nothing else", () => {
    const action = only("AWS::Budgets::BudgetsAction");
    expect(action).toMatchObject({
      ActionThreshold: { Type: "PERCENTAGE", Value: 100 },
      ApprovalModel: "AUTOMATIC",
      NotificationType: "ACTUAL",
    });
    const { PolicyArn: policy, Roles: roles } = action.Definition.IamActionDefinition;
    expect(JSON.stringify(policy)).toContain(":iam::aws:policy/AWSDenyAll");
    const roleIds = resourcesOf(template, "AWS::IAM::Role").flatMap(([id, { Properties }]) =>
      JSON.stringify(Properties).includes("lambda.amazonaws.com") && !id.startsWith("Trial") ? [id] : [],
    );
    expect(roles.map(({ Ref }: { Ref: string }) => Ref).sort()).toEqual(roleIds.sort());
    const [, attaching] =
      resourcesOf(template, "AWS::IAM::Policy").find(([id]) => id.startsWith("BudgetRole")) ?? [];
    const [statement, ...others] = attaching?.Properties?.PolicyDocument.Statement ?? [];
    expect(others).toEqual([]);
    expect(statement).toMatchObject({
      Action: ["iam:AttachRolePolicy", "iam:DetachRolePolicy"],
      Condition: { ArnEquals: { "iam:PolicyARN": policy } },
    });
    expect(statement.Resource).toHaveLength(roles.length);
  });

  it("only alerts by default", () => {
    expect(resourcesOf(stageTemplate("prod"), "AWS::Budgets::BudgetsAction")).toEqual([]);
  });
});
