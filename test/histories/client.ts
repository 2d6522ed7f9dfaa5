import type { Send } from "../support/api/client.ts";
import { type ApiResponse, checkConformance } from "../support/api/conformance.ts";

export class ServiceClient {
  readonly #send: Send;
  readonly #check: typeof checkConformance;
  /** Responses that no route may send, such as a 500. */
  readonly violations: string[] = [];

  constructor(send: Send, check = checkConformance) {
    this.#send = send;
    this.#check = check;
  }

  /** Sends a request again if the server has just closed the connection. @throws Error for any other status than 2xx */
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
    const json = body !== undefined && { body: JSON.stringify(body) };
    const type = json && { "content-type": "application/json" };
    // Compression would take time from the clients.
    const all = { "accept-encoding": "identity", ...type, ...headers };
    const received = await this.#send({ method, target: path, headers: all, ...json }).catch(() => undefined);
    // Without the header it is the gateway's own, for instance if a function takes too long.
    if (!received?.headers.has("x-request-id")) return undefined;
    const { text } = received;
    const isJson = received.headers.get("content-type")?.startsWith("application/json");
    const response = {
      ...received,
      target: path,
      body: isJson && text ? JSON.parse(text) : text || undefined,
    };
    try {
      this.#check(method, path, response);
    } catch (error) {
      this.violations.push(String(error));
    }
    return response;
  }
}
