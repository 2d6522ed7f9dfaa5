import { inject } from "vitest";
import { ApiClient, overHttp } from "./client.ts";
import { inProcess } from "./in-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The service that the whole-API specs test. */
    target: (
      | ({ readonly kind: "in process" } & Parameters<typeof inProcess>[0])
      | { readonly kind: "http"; readonly url: string }
    ) & {
      /** The credentials of an administrator. */
      readonly admin?: { readonly username: string; readonly password: string };
      /** A valid static key. */
      readonly apiKey?: string;
    };
  }
}

const target = inject("target");

const send = target.kind === "http" ? overHttp(target.url) : inProcess(target);

/** The API under test. */
export const api = new ApiClient(send);

/** The API as a `fetch` for other clients. The host is ignored. */
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
