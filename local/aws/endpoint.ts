import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { LogSink } from "../log.ts";
import type { CredentialStore, Credentials } from "./credentials.ts";
import type { Permission } from "./iam.ts";

/** The endpoint that the functions know as AWS. */
export interface AwsEndpoint {
  readonly url: string;
  close(): Promise<void>;
}

/** An AWS service, as the functions and the operator's commands see it. */
export interface AwsService {
  /**
   * What stands before the operation in the header `X-Amz-Target` of a JSON protocol; for the older query
   * protocol, whose requests are forms, `query`, the version and a dot.
   */
  readonly target: string;
  /** How it refuses a request, unless as the JSON protocols do. */
  readonly error?: typeof awsError;
  /** What a request needs to be allowed. */
  permissions(operation: string, body: object): readonly Permission[];
  answer(request: ServiceRequest): Promise<ServiceResponse>;
  close(): void;
}

export interface ServiceRequest {
  readonly operation: string;
  /** The body as sent. */
  readonly text: string;
  readonly body: object;
  readonly caller: Credentials;
}

export interface ServiceResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Stands between the functions and the services: knows the function by its access key, and refuses what its
 * role does not allow. Requests for any other service end here as well, so that none leaves this machine.
 *
 * @param services the services there are
 * @param callers the workers' credentials
 * @param log where refusals go
 * @returns the endpoint, listening on a free loopback port
 */
export async function startAwsEndpoint(
  services: readonly AwsService[],
  callers: CredentialStore,
  log: LogSink,
): Promise<AwsEndpoint> {
  const server = createServer((request, response) => {
    answer(request, services, callers, log)
      .catch((error: Error) => {
        // A worker that is terminated takes its requests with it: nobody waits for this answer.
        if (!request.destroyed) log({ source: "aws", text: error.stack ?? error.message });
        return awsError(500, "InternalServerError", "The local run failed; its log says why.");
      })
      .then(({ statusCode, headers, body }) => response.writeHead(statusCode, headers).end(body));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      for (const service of services) service.close();
      await once(server, "close");
    },
  };
}

async function answer(
  request: IncomingMessage,
  services: readonly AwsService[],
  callers: CredentialStore,
  log: LogSink,
): Promise<ServiceResponse> {
  const sent = await text(request);
  const { target, body } = readCall(request, sent);
  const service = services.find((candidate) => target.startsWith(candidate.target));
  if (service === undefined) {
    log({ source: "aws", text: `No service here answers ${target || `${request.method} ${request.url}`}` });
    return awsError(400, "UnknownOperationException", "The local run does not have this service.");
  }
  const { error = awsError } = service;
  const accessKeyId = /Credential=([^/,\s]+)\//.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const caller = callers.find(accessKeyId);
  if (caller === undefined) {
    const message = "The security token included in the request is invalid.";
    return error(400, "UnrecognizedClientException", message);
  }
  if (body === undefined) return error(400, "SerializationException", "The body is no JSON object.");
  const operation = target.slice(service.target.length);
  const denial = callers.authorize(caller, service.permissions(operation, body));
  if (denial !== undefined) {
    log({ source: "iam", text: denial });
    return error(400, "AccessDeniedException", denial);
  }
  return await service.answer({ operation, text: sent, body, caller });
}

function readCall(request: IncomingMessage, sent: string): { target: string; body: object | undefined } {
  const target = request.headers["x-amz-target"];
  if (target !== undefined) return { target: String(target), body: parseMembers(sent) };
  const form = new URLSearchParams(sent);
  const action = form.get("Action");
  if (action === null) return { target: "", body: undefined };
  return { target: `query ${form.get("Version")}.${action}`, body: Object.fromEntries(form) };
}

/**
 * Reads the members of a JSON request or answer.
 *
 * @returns the members, or undefined if the text is no JSON object
 */
export function parseMembers(json: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === "object" && parsed !== null ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The error answer that all services with this protocol share. */
export function awsError(statusCode: number, type: string, message: string): ServiceResponse {
  const body = JSON.stringify({ __type: `com.amazon.coral.service#${type}`, Message: message });
  return { statusCode, headers: { "content-type": "application/x-amz-json-1.0" }, body };
}
