import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { type ApiResponse, checkConformance } from "../support/api/conformance.ts";

export type ServiceResponse = ApiResponse;

/** Sends JSON requests over HTTP and checks each response against the declaration of its route. */
export class ServiceClient {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });
  /** Responses that no route may send, such as a 500. */
  readonly violations: string[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Sends a request that may be repeated: the server may just have closed the idle connection.
   *
   * @throws Error for any other status than 2xx
   */
  async send(method: string, path: string, body?: unknown, headers = {}): Promise<ServiceResponse> {
    const response =
      (await this.trySend(method, path, body, headers)) ?? (await this.trySend(method, path, body, headers));
    if (response === undefined || response.status >= 300)
      throw new Error(`${method} ${path} returned ${response?.status} ${response?.text}`);
    return response;
  }

  /** @returns undefined if there was no response of the service */
  async trySend(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<ServiceResponse | undefined> {
    const response = await this.#fetch(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
      headers,
    );
    // The gateway's own response, for instance if a function takes too long.
    if (response?.headers.get("x-request-id") === null) return undefined;
    if (response) {
      try {
        checkConformance(method, path, response);
      } catch (error) {
        this.violations.push(String(error));
      }
    }
    return response;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #fetch(
    method: string,
    path: string,
    body: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<ServiceResponse | undefined> {
    const sent = request(this.#url + path, {
      method,
      agent: this.#agent,
      headers: {
        ...headers,
        ...(body !== undefined && {
          "content-length": Buffer.byteLength(body),
          "content-type": "application/json",
        }),
      },
    });
    try {
      const received = await new Promise<import("node:http").IncomingMessage>((resolve, reject) => {
        sent.on("response", resolve).on("error", reject).end(body);
      });
      const responseText = await text(received);
      const responseHeaders = new Headers(received.headers as Record<string, string>);
      const isJson = responseHeaders.get("content-type")?.startsWith("application/json");
      return {
        status: received.statusCode ?? 0,
        headers: responseHeaders,
        text: responseText,
        body: responseText === "" ? undefined : isJson ? JSON.parse(responseText) : responseText,
      };
    } catch {
      return undefined;
    }
  }
}
