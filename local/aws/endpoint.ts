import type { IncomingMessage } from "node:http";
import { parseJson } from "../../lib/parse-json.ts";
import { isObject } from "../json.ts";
import type { LogSink } from "../log.ts";
import { startLoopback } from "../loopback.ts";
import { readBody } from "../read-body.ts";
import type { CredentialStore } from "./credentials.ts";
import type { Permission } from "./iam.ts";

export interface AwsService {
  readonly targetPrefix: string;
  permissions(operation: string, body: object): readonly Permission[];
  handle(operation: string, body: object, text: string): Promise<ServiceResponse>;
  close?(): void;
}

export interface ServiceResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly capacityUnits?: number;
}

/**
 * Starts what functions and operator commands use as AWS. It knows principals by their access key, and refuses what
 * their role does not allow, requests for other services, so that none leaves this machine, and those of web pages.
 */
export async function startAwsEndpoint(services: AwsService[], store: CredentialStore, log: LogSink) {
  const server = await startLoopback((request, response) => {
    handle(request, services, store, log)
      .catch((error: Error) => {
        // A terminated execution environment aborts its requests.
        if (!request.destroyed) log({ source: "aws", text: error.stack ?? error.message });
        return awsError(500, "InternalServerError", "The local run failed; see its log.");
      })
      .then(({ statusCode, headers, body }) => response.writeHead(statusCode, headers).end(body));
  });
  return {
    url: server.url,
    async close(): Promise<void> {
      const closed = server.close();
      for (const service of services) service.close?.();
      await closed;
    },
  };
}

async function handle(
  request: IncomingMessage,
  services: readonly AwsService[],
  store: CredentialStore,
  log: LogSink,
): Promise<ServiceResponse> {
  if (isFromWebPage(request)) {
    log({ source: "aws", text: "Refused a request that comes from a web page" });
    const message = "Only the processes of the local run may use this endpoint.";
    return awsError(403, "AccessDeniedException", message);
  }
  const text = (await readBody(request)).toString();
  const target = targetOf(request);
  const service = services.find(({ targetPrefix }) => target.startsWith(targetPrefix));
  if (service === undefined) {
    log({ source: "aws", text: `Unsupported AWS service: ${target || `${request.method} ${request.url}`}` });
    return awsError(400, "UnknownOperationException", "The local run does not support this service.");
  }
  const accessKeyId = /Credential=([^/,\s]+)\//.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const credentials = store.find(accessKeyId);
  if (credentials === undefined) {
    const message = "The security token included in the request is invalid.";
    return awsError(400, "UnrecognizedClientException", message);
  }
  const body = parseJson(text);
  if (!isObject(body)) return awsError(400, "SerializationException", "The body must be a JSON object.");
  const operation = target.slice(service.targetPrefix.length);
  const startedAt = performance.now();
  const permissions = service.permissions(operation, body);
  const denial = store.authorize(credentials.principal, permissions);
  if (denial !== undefined) log({ source: "iam", text: denial });
  const response =
    denial === undefined
      ? await service.handle(operation, body, text)
      : awsError(400, "AccessDeniedException", denial);
  credentials.addCall({
    operation,
    resources: [...new Set(permissions.map(({ resource }) => resource))],
    request: body,
    response: response.body,
    startedAt,
    milliseconds: performance.now() - startedAt,
    capacityUnits: response.capacityUnits ?? 0,
    statusCode: response.statusCode,
    ...(denial !== undefined && { denial }),
  });
  return response;
}

/** The service and its operation; empty for an unknown request. */
function targetOf({ headers, url = "" }: IncomingMessage): string {
  const [, invoked] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(url) ?? [];
  return String(headers["x-amz-target"] ?? (invoked ? `Lambda.${invoked}` : ""));
}

/** A browser adds `Origin`. A page whose name resolves to this machine (DNS rebinding) sends it as `Host`. */
function isFromWebPage({ headers, socket }: IncomingMessage): boolean {
  return headers.origin !== undefined || headers.host !== `${socket.localAddress}:${socket.localPort}`;
}

export function awsError(statusCode: number, type: string, message: string): ServiceResponse {
  const body = JSON.stringify({ __type: `com.amazon.coral.service#${type}`, Message: message });
  return { statusCode, headers: { "content-type": "application/x-amz-json-1.0" }, body };
}
