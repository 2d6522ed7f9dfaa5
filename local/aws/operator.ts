import { secretConstructIds } from "../../lib/construct-ids.ts";
import { localArn } from "../stack/arn.ts";
import type { Principal } from "./credentials.ts";

/**
 * The principal of the operator commands, with the permissions of docs/operations.md. A deployment tells its
 * secrets from others by the stack's tags; locally there is only one stack.
 */
export function createOperator(stackName: string): Principal {
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
        Object.values(secretConstructIds).map((id) => `secret:${id}*`),
      ),
    ],
  };
}
