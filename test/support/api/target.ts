import { inject } from "vitest";
import { ApiClient, overHttp } from "./client.ts";
import { inProcess } from "./in-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    target: (
      | ({ readonly kind: "in process" } & Parameters<typeof inProcess>[0])
      | { readonly kind: "http"; readonly url: string }
    ) & {
      readonly admin?: { readonly username: string; readonly password: string };
      readonly apiKey?: string;
    };
  }
}

const target = inject("target");

const send = target.kind === "http" ? overHttp(target.url) : inProcess(target);

export const api = new ApiClient(send);

/** The API as a `fetch` for other clients. The host is ignored. */
export async function fetchApi(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  const requested = { headers: Object.fromEntries(request.headers), ...(body !== "" && { body }) };
  const target = pathname + search;
  const { status, headers, text } = await send({ method: request.method, target, ...requested });
  return new Response(text === "" ? null : text, { status, headers });
}
