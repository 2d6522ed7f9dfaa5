import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface StackResource {
  readonly type: string;
  readonly logicalId: string;
  readonly physicalId: string;
}

/** What a simulated AWS has deployed. */
interface Deployed {
  readonly status?: string;
  readonly template?: object;
  /** The body of the answer of another service, for an operation such as `ListTables`. An error refuses the call. */
  answer?(operation: string, input: never): object;
}

/**
 * Starts a CloudFormation on loopback that knows one stack and the calls DescribeStacks, ListStackResources
 * and GetTemplate, and other services of AWS that speak JSON.
 *
 * @param pages the resources, as CloudFormation splits them into responses
 * @returns with the environment variables that lead the SDK there
 */
export async function startCloudFormation(
  stackName: string,
  pages: readonly (readonly StackResource[])[],
  outputs: Readonly<Record<string, string>> = {},
  { status = "UPDATE_COMPLETE", template = {}, answer = () => ({ TableNames: [] }) }: Deployed = {},
) {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const [, operation] = request.headers["x-amz-target"]?.toString().split(".") ?? [];
    if (operation !== undefined) {
      const { code, sent } = answerOf(() => answer(operation, JSON.parse(body) as never));
      response.writeHead(code, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(sent));
      return;
    }
    const form = new URLSearchParams(body);
    const isKnown = form.get("StackName") === stackName;
    const known = () => {
      const action = form.get("Action");
      if (action === "DescribeStacks") return stackXml(stackName, status, outputs);
      if (action === "GetTemplate") return templateXml(template);
      return pageXml(pages, Number(form.get("NextToken") ?? 0));
    };
    response.writeHead(isKnown ? 200 : 400, { "content-type": "text/xml" });
    response.end(isKnown ? known() : unknownStackXml(form));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    environment: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerOf(answer: () => object): { readonly code: number; readonly sent: object } {
  try {
    return { code: 200, sent: answer() };
  } catch (error) {
    return { code: 400, sent: { __type: "ValidationException", message: String(error) } };
  }
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
