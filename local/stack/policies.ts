import type { Statement } from "../aws/iam.ts";
import { StartError } from "../start-error.ts";
import { type Names, type Resource, resolveIntrinsics, type Template } from "./intrinsics.ts";

/** AWS's own policies that grant nothing on data: writing logs and traces. */
const harmlessManagedPolicies = [
  "service-role/AWSLambdaBasicExecutionRole",
  "AWSXRayDaemonWriteAccess",
  "CloudWatchLambdaInsightsExecutionRolePolicy",
];

interface PolicyStatement {
  readonly Effect?: "Allow" | "Deny";
  readonly Action?: string | readonly string[];
  readonly Resource?: string | readonly string[];
}

/**
 * Collects what a role of the template may do: its inline policies and the policies that are attached to it.
 *
 * @param template the template
 * @param names the local names of the template's resources
 * @param roleId the logical id of the role
 * @returns the statements, in any order
 * @throws {StartError} naming the resource, for what can't be evaluated: conditions, `NotAction`, `NotResource`,
 * and AWS-managed policies other than those for logs and traces
 */
export function readStatements(template: Template, names: Names, roleId: string): Statement[] {
  const role = template.Resources[roleId];
  if (role?.Type !== "AWS::IAM::Role") throw new StartError(`${roleId} is not a role of the template.`);
  const properties = resolveIntrinsics(role.Properties ?? {}, names, roleId) as {
    readonly Policies?: readonly { readonly PolicyDocument: unknown }[];
    readonly ManagedPolicyArns?: readonly string[];
  };
  for (const managed of properties.ManagedPolicyArns ?? []) {
    if (!harmlessManagedPolicies.some((policy) => managed.endsWith(`:policy/${policy}`))) {
      throw new StartError(`${roleId}: the local run can't evaluate the managed policy ${managed}.`);
    }
  }
  const inline = (properties.Policies ?? []).flatMap((policy) => toStatements(policy.PolicyDocument, roleId));
  const attached = Object.entries(template.Resources)
    .filter(([, resource]) => isAttached(resource, roleId))
    .flatMap(([id, resource]) =>
      toStatements(resolveIntrinsics(resource.Properties?.PolicyDocument, names, id), id),
    );
  return [...inline, ...attached];
}

function isAttached(resource: Resource, roleId: string): boolean {
  const roles = resource.Properties?.Roles;
  const isPolicy = resource.Type === "AWS::IAM::Policy" || resource.Type === "AWS::IAM::ManagedPolicy";
  return isPolicy && Array.isArray(roles) && roles.some((role) => role?.Ref === roleId);
}

function toStatements(document: unknown, owner: string): Statement[] {
  const { Statement = [] } = document as { Statement?: PolicyStatement | PolicyStatement[] };
  return asList(Statement).map((statement) => {
    for (const unsupported of ["Condition", "NotAction", "NotResource"]) {
      if (unsupported in statement) {
        throw new StartError(`${owner}: the local run can't evaluate ${unsupported} in a policy.`);
      }
    }
    return {
      effect: statement.Effect ?? "Allow",
      actions: asList(statement.Action ?? []),
      resources: asList(statement.Resource ?? []),
    };
  });
}

function asList<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}
