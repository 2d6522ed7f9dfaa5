import type { Model } from "../stack/model.ts";
import { localAccount, localRegion } from "../stack/resource-names.ts";
import type { AwsService, ServiceResponse } from "./endpoint.ts";

/** As many as CloudFormation gives at once; more come with the next request. */
const resourcesAtOnce = 100;

const xmlNamespace = "http://cloudformation.amazonaws.com/doc/2010-05-15/";

/**
 * CloudFormation as the operator's commands see it: they ask it what the stack's resources are called.
 *
 * @param current what is running, asked for at each request: a reload may change it
 */
export function createCloudFormation(current: () => Model): AwsService {
  return {
    target: "query 2010-05-15.",
    error: xmlError,
    permissions: (operation, body) => [
      { action: `cloudformation:${operation}`, resource: stackArn(member(body, "StackName") ?? "") },
    ],
    async answer({ operation, body }) {
      const { stackName, resources } = current();
      if (operation !== "ListStackResources") {
        return xmlError(400, "InvalidAction", `The local run has no ${operation}.`);
      }
      if (member(body, "StackName") !== stackName) {
        const message = `Stack with id ${member(body, "StackName")} does not exist`;
        return xmlError(400, "ValidationError", message);
      }
      const start = Number(member(body, "NextToken") ?? 0);
      const end = start + resourcesAtOnce;
      const members = resources
        .slice(start, end)
        .map(
          ({ logicalId, type, physicalId }) =>
            `<member><LogicalResourceId>${logicalId}</LogicalResourceId><ResourceType>${type}</ResourceType>` +
            `<PhysicalResourceId>${escaped(physicalId)}</PhysicalResourceId>` +
            "<ResourceStatus>CREATE_COMPLETE</ResourceStatus></member>",
        );
      const next = end < resources.length ? `<NextToken>${end}</NextToken>` : "";
      return xml(
        200,
        `<ListStackResourcesResponse xmlns="${xmlNamespace}"><ListStackResourcesResult>` +
          `<StackResourceSummaries>${members.join("")}</StackResourceSummaries>${next}` +
          "</ListStackResourcesResult></ListStackResourcesResponse>",
      );
    },
    close: () => undefined,
  };
}

/** The ARN of a stack, without the random part that CloudFormation gives it. */
export function stackArn(stackName: string): string {
  return `arn:aws:cloudformation:${localRegion}:${localAccount}:stack/${stackName}/local`;
}

function member(body: object, name: string): string | undefined {
  const value = (body as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : undefined;
}

function xmlError(statusCode: number, code: string, message: string): ServiceResponse {
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`;
  return xml(statusCode, `<ErrorResponse xmlns="${xmlNamespace}">${error}</ErrorResponse>`);
}

function xml(statusCode: number, body: string): ServiceResponse {
  return { statusCode, headers: { "content-type": "text/xml" }, body };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
