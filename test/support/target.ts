import { inject } from "vitest";
import { ApiClient, type Send } from "./client.ts";
import { inProcess } from "./in-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the whole-API specs are run. */
    target: (
      | ({ readonly kind: "in process" } & Parameters<typeof inProcess>[0])
      | { readonly kind: "http"; readonly url: string }
    ) & {
      /** An administrator who can log in there. */
      readonly admin?: { readonly username: string; readonly password: string };
      /** A static key that is valid there. */
      readonly apiKey?: string;
    };
  }
}

function overHttp(url: string): Send {
  return async ({ method, target, headers, body }) => {
    const init = { method, headers, redirect: "manual", ...(body !== undefined && { body }) } as const;
    let response = await fetch(new URL(url).origin + target, init);
    // A gateway with strict slashes leads from one spelling of a path to the other (docs/adr/0001).
    if (response.status === 308)
      response = await fetch(new URL(response.headers.get("location") ?? "", url), init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

const target = inject("target");

const send = target.kind === "http" ? overHttp(target.url) : inProcess(target);

/** The API under test, wherever it runs. */
export const api = new ApiClient(send);

/** The same as a `fetch`, for clients that are not the tests' own. Its host makes no difference. */
export async function fetchApi(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  const { status, headers, text } = await send({
    method: request.method,
    target: pathname + search,
    headers: Object.fromEntries(request.headers),
    ...(body !== "" && { body }),
  });
  return new Response(text === "" ? null : text, { status, headers });
}
