import type { Client } from "openapi-fetch";
import type { paths, Schemas } from "./openapi.js";

export type { paths, Schemas };

/** A typed client of the service, with a method for each HTTP method that takes a path of the OpenAPI document. */
export type ApiClient = Client<paths>;

export interface ClientOptions {
  /** Scheme and host of the service. */
  baseUrl: string;
  /** The `access_token` of a login, or a function that returns the current one. */
  token?: string | (() => string | undefined) | undefined;
  /** A static key, for the routes under `/api`. */
  apiKey?: string | undefined;
  /** Sends the requests; the global `fetch` by default. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * Creates a client of the service, whose paths, parameters, bodies and responses are typed by the OpenAPI document.
 *
 * @returns an openapi-fetch client. A call resolves to `{ data, response }` or `{ error, response }`, and rejects only
 *   without a response. Read text with `parseAs: "text"`.
 */
export function createClient(options: ClientOptions): ApiClient;
