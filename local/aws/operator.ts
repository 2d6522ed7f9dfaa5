import { secretConstructIds } from "../../lib/areas.ts";
import { localAccount, localRegion } from "../stack/resource-names.ts";
import { stackArn } from "./cloudformation.ts";
import type { Principal } from "./credentials.ts";

/**
 * Who runs the operator's commands here. The actions are those that docs/operations.md gives for a deployment: to
 * find the stack's resources, to read and write records, to read and change secrets, and nothing else; no table
 * or function can be changed with it. There the stack's tags tell its secrets from another's; here is but one stack.
 *
 * @param stackName the stack whose operator it is
 */
export function createOperator(stackName: string): Principal {
  const arn = (service: string, resource: string) =>
    `arn:aws:${service}:${localRegion}:${localAccount}:${resource}`;
  return {
    logicalId: "Operator",
    name: "operator",
    roleName: `${stackName}-Operator`,
    statements: [
      { effect: "Allow", actions: ["cloudformation:ListStackResources"], resources: [stackArn("*")] },
      {
        effect: "Allow",
        actions: ["DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"].map(
          (name) => `dynamodb:${name}`,
        ),
        resources: [arn("dynamodb", `table/${stackName}-*`)],
      },
      {
        effect: "Allow",
        actions: ["GetSecretValue", "PutSecretValue", "UpdateSecretVersionStage"].map(
          (name) => `secretsmanager:${name}`,
        ),
        resources: Object.values(secretConstructIds).map((id) => arn("secretsmanager", `secret:${id}*`)),
      },
    ],
  };
}
