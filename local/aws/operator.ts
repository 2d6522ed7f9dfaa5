import { localArn } from "../stack/arn.ts";
import type { Principal, StackModel } from "../stack/model.ts";

/** The operator with the permissions of docs/operations.md, except that no tags tell stages apart. */
export function createOperator({ stackName, secrets }: Pick<StackModel, "stackName" | "secrets">): Principal {
  const allow = (service: string, actions: readonly string[], resources: readonly string[]) => ({
    effect: "Allow" as const,
    actions: actions.map((action) => `${service}:${action}`),
    resources: resources.map((resource) => localArn(service, resource)),
  });
  return {
    logicalId: "Operator",
    name: "operator",
    roleName: `${stackName}-Operator`,
    statements: [
      allow(
        "dynamodb",
        [
          ...["BatchGetItem", "BatchWriteItem", "ConditionCheckItem", "DeleteItem"],
          ...["GetItem", "PutItem", "Query", "Scan", "UpdateItem"],
        ],
        [`table/${stackName}-*`],
      ),
      allow("lambda", ["InvokeFunction"], [`function:${stackName}-Job*`]),
      allow(
        "secretsmanager",
        ["GetSecretValue", "PutSecretValue", "UpdateSecretVersionStage"],
        secrets.map(({ label }) => `secret:${label}*`),
      ),
    ],
  };
}
