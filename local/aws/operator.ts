import { secretConstructIds } from "../../lib/construct-ids.ts";
import { localArn } from "../stack/arn.ts";
import type { Principal } from "../stack/model.ts";

/** The operator with the permissions of docs/operations.md, except that no tags tell stages apart. */
export function createOperator(
  stackName: string,
  secretIds: readonly string[] = Object.values(secretConstructIds),
): Principal {
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
          ...["BatchGetItem", "BatchWriteItem", "ConditionCheckItem", "DeleteItem", "DescribeTable"],
          ...["GetItem", "PutItem", "Query", "Scan", "UpdateItem"],
        ],
        [`table/${stackName}-*`],
      ),
      allow(
        "secretsmanager",
        ["GetSecretValue", "PutSecretValue", "UpdateSecretVersionStage"],
        secretIds.map((id) => `secret:${id}*`),
      ),
    ],
  };
}
