import { type ApiResponse, checkConformance } from "../support/api/conformance.ts";

/** Sends JSON requests over HTTP and checks each response against the declaration of its route. */
export class ServiceClient {
  readonly #url: string;
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
      const received = await fetch(this.#url + path, { method, headers: all, redirect: "manual", ...json });
      const text = await received.text();
      const isJson = received.headers.get("content-type")?.startsWith("application/json");
      const value = text === "" ? undefined : isJson ? JSON.parse(text) : text;
      response = { status: received.status, headers: received.headers, text, body: value };
    } catch {
      return undefined;
    }
    // The gateway's own response, for instance if a function takes too long.
    if (response.headers.get("x-request-id") === null) return undefined;
    try {
      checkConformance(method, path, response);
    } catch (error) {
      this.violations.push(String(error));
    }
    return response;
  }
}
