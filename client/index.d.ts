import type { Client } from "openapi-fetch";
import type { paths, Schemas } from "./openapi.js";

export type { paths, Schemas };

/** The service as a typed client knows it: a method per HTTP method, which takes a path of the document. */
export type ApiClient = Client<paths>;

export interface ClientOptions {
  /** Where the service answers: scheme and host. */
  baseUrl: string;
  /** The `access_token` of a login, or what returns the one that counts now. */
  token?: string | (() => string | undefined) | undefined;
  /** A static key, for what lies under `/api`. */
  apiKey?: string | undefined;
  /** Sends the requests; the global `fetch` when not given. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * Makes a client of the service: paths, parameters, bodies and answers are typed by the OpenAPI document.
 *
 * @returns a client of openapi-fetch. A call answers `{ data }` or `{ error }`, and `response`; it rejects only when
 *   nothing was answered. Text is read with `parseAs: "text"`.
 */
export function createClient(options: ClientOptions): ApiClient;
