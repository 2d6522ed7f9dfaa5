import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LOG_KEY_ID, SERVICE_NAME, secretConstructIds } from "../../../lib/construct-ids.ts";
import { createOperator } from "../../../local/aws/operator.ts";

it("the operator of a run has the permissions that docs/policies documents for a deployment", () => {
  const { Statement: documented } = JSON.parse(readFileSync("docs/policies/operator.json", "utf8")) as {
    Statement: { Effect: string; Action: string | string[]; Resource: string | string[] }[];
  };

  const [describeStack, ...others] = documented;
  // The local run has no CloudFormation: the run file names its resources. Its log lines are in a file.
  expect(others.pop()?.Action).toBe("logs:FilterLogEvents");
  expect(describeStack?.Action).toEqual([
    "cloudformation:DescribeStacks",
    "cloudformation:ListStackResources",
  ]);
  const anywhere = (resource: string) => resource.replace(/^(arn:aws:\w+):[^:]*:[^:]*:/, "$1:*:*:");
  const secrets = [...Object.values(secretConstructIds), LOG_KEY_ID].map((label) => ({
    ...{ label, arn: "", generatedLength: 48 },
  }));
  const local = createOperator({ stackName: `${SERVICE_NAME}-prod`, secrets }).statements;
  expect(others).toMatchObject(
    local.map(({ effect, actions, resources }) => ({
      Effect: effect,
      Action: actions,
      Resource: resources.length === 1 ? resources.map(anywhere)[0] : resources.map(anywhere),
    })),
  );
});
