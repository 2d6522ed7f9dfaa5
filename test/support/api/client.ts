import { type ApiResponse, checkConformance } from "./conformance.ts";

export interface ApiRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Sends a request to the target. The body is decompressed; 308 is followed, 302 is not. */
export type Send = (request: ApiRequest) => Promise<{ status: number; headers: Headers; text: string }>;

interface Options {
  readonly headers?: Readonly<Record<string, string>>;
  /** Query parameters; a list repeats its name. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/** Checks each response against its route's declaration: an undeclared status or body and every 500 fail the test. */
export class ApiClient {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  get(path: string, options?: Options): Promise<ApiResponse> {
    return this.request("GET", path, undefined, options);
  }
  post(path: string, json?: unknown, options?: Options): Promise<ApiResponse> {
    return this.request("POST", path, json, options);
  }
  put(path: string, json?: unknown, options?: Options): Promise<ApiResponse> {
    return this.request("PUT", path, json, options);
  }
  patch(path: string, json?: unknown, options?: Options): Promise<ApiResponse> {
    return this.request("PATCH", path, json, options);
  }
  delete(path: string, options?: Options): Promise<ApiResponse> {
    return this.request("DELETE", path, undefined, options);
  }

  /** Sends a JSON value, or no body if it is undefined. */
  request(method: string, path: string, json?: unknown, options?: Options): Promise<ApiResponse> {
    return this.send(method, path, json === undefined ? undefined : JSON.stringify(json), {
      ...options,
      headers: { ...(json !== undefined && { "content-type": "application/json" }), ...options?.headers },
    });
  }

  async send(
    method: string,
    path: string,
    body?: string | Uint8Array,
    { headers = {}, query = {} }: Options = {},
  ): Promise<ApiResponse> {
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) =>
        [value].flat().map((each) => [name, String(each)] as [string, string]),
      ),
    ).toString();
    const target = search === "" ? path : `${path}?${search}`;
    const sent = await this.#send({ method, target, headers, ...(body !== undefined && { body }) });
    const { text } = sent;
    const isJson = /^application\/(problem\+)?json/.test(sent.headers.get("content-type") ?? "");
    const response = { ...sent, target, body: text === "" ? undefined : isJson ? JSON.parse(text) : text };
    checkConformance(method, target, response);
    return response;
  }
}

/** Sends requests to a URL, whose path is ignored, as a page of another origin does. */
export function overHttp(url: string): Send {
  return async ({ method, target, headers: own, body }) => {
    const headers = { origin: "https://a.example", ...own };
    const init = { method, headers, redirect: "manual", ...(body !== undefined && { body }) } as RequestInit;
    let response = await fetch(new URL(url).origin + target, init);
    // A gateway with strict slashes redirects between the variants of a path (docs/adr/0001).
    if (response.status === 308)
      response = await fetch(new URL(response.headers.get("location") ?? "", response.url), init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}
