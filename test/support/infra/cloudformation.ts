import { text } from "node:stream/consumers";
import { DATA_FORMAT, DATA_FORMAT_OUTPUT, SERVICE_NAME } from "../../../lib/construct-ids.ts";
import { startLoopback } from "../../../local/loopback.ts";
import { type AwsCall, callsOf, decide, statementsOf } from "./policies.ts";

type StackResource = readonly [type: string, logicalId: string, physicalId: string];

interface Deployed {
  readonly status?: string;
  readonly template?: object;
  /** Out of docs/policies, what the caller may do; by default everything. */
  readonly policies?: readonly string[];
  /** The tags of a resource with an ARN; undefined if it does not exist. By default those of the stage. */
  tagsOf?(arn: string): Readonly<Record<string, string>> | undefined;
  /** The answer of another service, or to another operation of CloudFormation. An error refuses the call. */
  answer?(operation: string, input: never): object;
}

interface Request {
  readonly service: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, string>>;
  readonly isXml?: boolean;
}

const lambdaOperations: Readonly<Record<string, string>> = {
  "GET concurrency": "GetFunctionConcurrency",
  "PUT concurrency": "PutFunctionConcurrency",
  "DELETE concurrency": "DeleteFunctionConcurrency",
  "GET provisioned-concurrency": "ListProvisionedConcurrencyConfigs",
  "PUT provisioned-concurrency": "PutProvisionedConcurrencyConfig",
  "DELETE provisioned-concurrency": "DeleteProvisionedConcurrencyConfig",
};

/** Starts an AWS with one stack, which refuses what `policies` do not allow. @param pages the resources, by response */
export async function startCloudFormation(
  stackName: string,
  pages: readonly (readonly StackResource[])[],
  outputs: Readonly<Record<string, string>> = {},
  { status = "UPDATE_COMPLETE", template = {}, policies, tagsOf, answer }: Deployed = {},
) {
  const all = { [DATA_FORMAT_OUTPUT]: String(DATA_FORMAT), ...outputs };
  const Outputs = Object.entries(all).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  const statements = policies?.flatMap(statementsOf);
  const stage = stackName.slice(SERVICE_NAME.length + 1);
  const tagged = tagsOf ?? (() => ({ service: SERVICE_NAME, stage }));
  const calls: AwsCall[] = [];

  function authorize({ service, operation, input }: Request): void {
    for (const { action, resource } of callsOf(service, operation, input)) {
      const context = contextOf(tagged(resource), input);
      const call = { action, resource, context };
      calls.push(call);
      if (statements === undefined || decide(statements, call) === "allowed") continue;
      const message = `User: test is not authorized to perform: ${action} on resource: ${resource}`;
      throw Object.assign(new Error(message), { name: "AccessDeniedException" });
    }
  }

  function cloudFormation({ operation, input }: Request): object {
    const { StackName: name, NextToken: page = 0 } = input;
    // Also of one that does not exist.
    if (operation === "DeleteStack") return {};
    if (name !== undefined && name !== stackName)
      throw Object.assign(new Error(`Stack with id ${name} does not exist`), { name: "ValidationError" });
    switch (operation) {
      case "DescribeStacks": {
        const CreationTime = "2026-01-01T00:00:00Z";
        return { Stacks: [{ StackName: stackName, StackStatus: status, Outputs, CreationTime }] };
      }
      case "GetTemplate":
        return { TemplateBody: JSON.stringify(template) };
      case "ListStackResources": {
        const names = ["ResourceType", "LogicalResourceId", "PhysicalResourceId"];
        const summaries = (pages[Number(page)] ?? []).map((resource) =>
          Object.fromEntries(names.map((name, i) => [name, resource[i]])),
        );
        const isLast = Number(page) + 1 >= pages.length;
        return { StackResourceSummaries: summaries, ...(!isLast && { NextToken: Number(page) + 1 }) };
      }
      default:
        return answer?.(operation, input as never) ?? {};
    }
  }

  const server = await startLoopback(async (incoming, response) => {
    const request = parse(incoming.method ?? "", incoming.url ?? "", incoming.headers, await text(incoming));
    const { code, sent } = answerOf(() => {
      authorize(request);
      if (request.service === "cloudformation") return cloudFormation(request);
      return answer?.(request.operation, request.input as never) ?? { TableNames: [] };
    });
    response.writeHead(code, { "content-type": request.isXml ? "text/xml" : "application/x-amz-json-1.0" });
    if (!request.isXml) return response.end(JSON.stringify(sent));
    const { __type: Code, message: Message } = sent as { __type?: string; message?: string };
    const body =
      code === 200
        ? { [`${request.operation}Response`]: { [`${request.operation}Result`]: sent } }
        : { ErrorResponse: { Error: { Type: "Sender", Code, Message } } };
    return response.end(xmlOf(body));
  });
  return {
    calls,
    environment: {
      AWS_ENDPOINT_URL: server.url,
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    },
    close: server.close,
  };
}

/** An operation, by the protocols that services speak: JSON, paths (Lambda), or a form (CloudFormation). */
function parse(
  method: string,
  url: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): Request {
  const [, service = ""] = /Credential=[^/]+\/\d+\/[^/]+\/(\w+)\//.exec(String(headers.authorization)) ?? [];
  const [, operation] = headers["x-amz-target"]?.toString().split(".") ?? [];
  if (operation !== undefined) return { service, operation, input: JSON.parse(body) };
  const [, name, kind] = /\/functions\/([^/]+)\/([\w-]+)/.exec(url) ?? [];
  if (name !== undefined) {
    const qualifier = new URL(url, "http://aws").searchParams.get("Qualifier");
    const FunctionName = qualifier === null ? name : `${name}:${qualifier}`;
    const input = { ...(body && JSON.parse(body)), FunctionName };
    return { service, operation: lambdaOperations[`${method} ${kind}`] ?? `${method} ${url}`, input };
  }
  const { Action = "", ...input } = Object.fromEntries(new URLSearchParams(body));
  return { service, operation: Action, input, isXml: true };
}

function contextOf(tags: Readonly<Record<string, string>> | undefined, input: object) {
  const { Tags = [] } = input as { Tags?: readonly { readonly Key: string; readonly Value: string }[] };
  return Object.fromEntries([
    ...Object.entries(tags ?? {}).map(([key, value]) => [`aws:ResourceTag/${key}`, value]),
    ...Tags.map(({ Key, Value }) => [`aws:RequestTag/${Key}`, Value]),
  ]);
}

function answerOf(answer: () => object): { readonly code: number; readonly sent: object } {
  try {
    return { code: 200, sent: answer() };
  } catch (error) {
    const { name, message } = error as Error;
    return { code: 400, sent: { __type: name === "Error" ? "ValidationException" : name, message } };
  }
}

/** The XML of a response: each member of an object is an element, and an array has members. */
function xmlOf(value: unknown): string {
  if (typeof value !== "object" || value === null)
    return String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const members = Array.isArray(value) ? value.map((each) => ["member", each]) : Object.entries(value);
  return members.map(([name, each]) => `<${name}>${xmlOf(each)}</${name}>`).join("");
}
