import { text } from "node:stream/consumers";
import { DATA_FORMAT, DATA_FORMAT_OUTPUT } from "../../../lib/construct-ids.ts";
import { startLoopback } from "../../../local/loopback.ts";

type StackResource = readonly [type: string, logicalId: string, physicalId: string];

/** What a simulated AWS has deployed. */
interface Deployed {
  readonly status?: string;
  readonly template?: object;
  /** The body of the answer of another service, for an operation such as `ListTables`. An error refuses the call. */
  answer?(operation: string, input: never): object;
}

/**
 * Starts a CloudFormation on loopback that knows one stack and the calls DescribeStacks, ListStackResources
 * and GetTemplate, and other services of AWS that speak JSON; Lambda's calls are named by method and path, and
 * Route 53's, which speaks XML.
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
  const all = { [DATA_FORMAT_OUTPUT]: String(DATA_FORMAT), ...outputs };
  const Outputs = Object.entries(all).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  const server = await startLoopback(async (request, response) => {
    const body = await text(request);
    const [, operation] = request.headers["x-amz-target"]?.toString().split(".") ?? [];
    if (operation !== undefined) {
      const { code, sent } = answerOf(() => answer(operation, JSON.parse(body) as never));
      response.writeHead(code, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(sent));
      return;
    }
    if (request.url?.includes("/functions/")) {
      const { code, sent } = answerOf(() =>
        answer(`${request.method} ${request.url}`, (body === "" ? {} : JSON.parse(body)) as never),
      );
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(sent));
      return;
    }
    if (request.url?.includes("/hostedzone/")) {
      const { code, sent } = answerOf(() => answer(`${request.method} ${request.url}`, { body } as never));
      response.writeHead(code, { "content-type": "text/xml" }).end(xmlOf(sent));
      return;
    }
    const form = new URLSearchParams(body);
    const [name, action] = [form.get("StackName"), form.get("Action")];
    const page = Number(form.get("NextToken") ?? 0);
    const results: Readonly<Record<string, object>> = {
      DescribeStacks: { Stacks: [{ StackName: name, StackStatus: status, Outputs }] },
      GetTemplate: { TemplateBody: JSON.stringify(template) },
      ListStackResources: {
        StackResourceSummaries: (pages[page] ?? []).map(
          ([ResourceType, LogicalResourceId, PhysicalResourceId]) => ({
            ...{ ResourceType, LogicalResourceId, PhysicalResourceId },
          }),
        ),
        ...(page + 1 < pages.length && { NextToken: page + 1 }),
      },
    };
    const message = `Stack with id ${name} does not exist`;
    const sent =
      name === stackName
        ? { [`${action}Response`]: { [`${action}Result`]: results[action ?? ""] } }
        : { ErrorResponse: { Error: { Type: "Sender", Code: "ValidationError", Message: message } } };
    response.writeHead(name === stackName ? 200 : 400, { "content-type": "text/xml" }).end(xmlOf(sent));
  });
  return {
    environment: {
      AWS_ENDPOINT_URL: server.url,
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    },
    close: server.close,
  };
}

function answerOf(answer: () => object): { readonly code: number; readonly sent: object } {
  try {
    return { code: 200, sent: answer() };
  } catch (error) {
    const { name } = error as Error;
    return {
      code: 400,
      sent: { __type: name === "Error" ? "ValidationException" : name, message: String(error) },
    };
  }
}

/** The XML of a response: each member of an object is an element, and an array has members. */
function xmlOf(value: unknown): string {
  if (typeof value !== "object" || value === null)
    return String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const members = Array.isArray(value) ? value.map((each) => ["member", each]) : Object.entries(value);
  return members.map(([name, each]) => `<${name}>${xmlOf(each)}</${name}>`).join("");
}
