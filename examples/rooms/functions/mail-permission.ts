import { Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { AreaConstructs } from "./define-area.ts";

/** Lets a job send mails from a domain that SES has verified. */
export function mailPermission(name: string): AreaConstructs {
  return (scope, { job }) => {
    const identity = { service: "ses", resource: "identity", resourceName: "example.com" };
    const resources = [Stack.of(scope).formatArn(identity)];
    job(name).addToRolePolicy(new PolicyStatement({ actions: ["ses:SendEmail"], resources }));
  };
}
