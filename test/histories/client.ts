import type { Send } from "../support/api/client.ts";
import { type ApiResponse, checkConformance } from "../support/api/conformance.ts";

/** Sends JSON requests and checks each response against the declaration of its route. */
export class ServiceClient {
  readonly #send: Send;
  readonly #check: typeof checkConformance;
  /** Responses that no route may send, such as a 500. */
  readonly violations: string[] = [];

  /** @param check throws for a response that the service may not send */
  constructor(send: Send, check = checkConformance) {
    this.#send = send;
    this.#check = check;
  }

  /**
   * Sends a request that may be repeated: the server may just have closed the idle connection.
   *
   * @throws Error for any other status than 2xx
   */
  async send(method: string, path: string, body?: unknown, headers = {}): Promise<ApiResponse> {
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
  ): Promise<ApiResponse | undefined> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { "content-type": "application/json" };
    // Compression would take time from the clients.
    const all = { "accept-encoding": "identity", ...type, ...headers };
    let response: ApiResponse;
    try {
      const received = await this.#send({ method, target: path, headers: all, ...json });
      const { text } = received;
      const isJson = received.headers.get("content-type")?.startsWith("application/json");
      response = {
        ...received,
        target: path,
        body: text === "" ? undefined : isJson ? JSON.parse(text) : text,
      };
    } catch {
      return undefined;
    }
    // The gateway's own response, for instance if a function takes too long.
    if (response.headers.get("x-request-id") === null) return undefined;
    try {
      this.#check(method, path, response);
    } catch (error) {
      this.violations.push(String(error));
    }
    return response;
  }
}
