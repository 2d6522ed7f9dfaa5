import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface StackResource {
  readonly type: string;
  readonly logicalId: string;
  readonly physicalId: string;
}

/**
 * Starts a CloudFormation on loopback that knows one stack and the calls DescribeStacks, ListStackResources
 * and GetTemplate. It is also a DynamoDB, which lists the tables.
 *
 * @param pages the resources, as CloudFormation splits them into responses
 * @param deployed the stack's status and template
 */
export async function startCloudFormation(
  stackName: string,
  pages: readonly (readonly StackResource[])[],
  outputs: Readonly<Record<string, string>> = {},
  deployed: { readonly status: string; readonly template: object; readonly tables?: readonly string[] } = {
    status: "UPDATE_COMPLETE",
    template: {},
  },
) {
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    if (request.headers["x-amz-target"]?.includes("ListTables")) {
      response.end(JSON.stringify({ TableNames: deployed.tables ?? [] }));
      return;
    }
    const isKnown = form.get("StackName") === stackName;
    const known = () => {
      const action = form.get("Action");
      if (action === "DescribeStacks") return stackXml(stackName, deployed.status, outputs);
      if (action === "GetTemplate") return templateXml(deployed.template);
      return pageXml(pages, Number(form.get("NextToken") ?? 0));
    };
    const body = isKnown ? known() : unknownStackXml(form);
    response.writeHead(isKnown ? 200 : 400, { "content-type": "text/xml" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function stackXml(stackName: string, status: string, outputs: Readonly<Record<string, string>>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return (
    "<DescribeStacksResponse><DescribeStacksResult><Stacks><member>" +
    `<StackName>${stackName}</StackName><StackStatus>${status}</StackStatus><Outputs>${members.join("")}</Outputs>` +
    "</member></Stacks></DescribeStacksResult></DescribeStacksResponse>"
  );
}

function templateXml(template: object): string {
  const body = JSON.stringify(template).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return (
    `<GetTemplateResponse><GetTemplateResult><TemplateBody>${body}</TemplateBody>` +
    "</GetTemplateResult></GetTemplateResponse>"
  );
}

function pageXml(pages: readonly (readonly StackResource[])[], index: number): string {
  const members = (pages[index] ?? []).map(
    ({ type, logicalId, physicalId }) =>
      `<member><LogicalResourceId>${logicalId}</LogicalResourceId><ResourceType>${type}</ResourceType>` +
      `<PhysicalResourceId>${physicalId}</PhysicalResourceId></member>`,
  );
  const next = index + 1 < pages.length ? `<NextToken>${index + 1}</NextToken>` : "";
  return (
    "<ListStackResourcesResponse><ListStackResourcesResult>" +
    `<StackResourceSummaries>${members.join("")}</StackResourceSummaries>${next}` +
    "</ListStackResourcesResult></ListStackResourcesResponse>"
  );
}

function unknownStackXml(form: URLSearchParams): string {
  const message = `Stack with id ${form.get("StackName")} does not exist`;
  return (
    "<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>" +
    `<Message>${message}</Message></Error></ErrorResponse>`
  );
}
