import * as z from "zod";
import { definitions } from "../functions/definitions.ts";
import { type PreparedRequest, toRequest } from "../functions/example-requests.ts";
import type { Route } from "../lib/http/route.ts";
import type { HttpClient } from "./http-client.ts";

export type Headers = Readonly<Record<string, string>>;

/** The key of the route that returns a bearer token; undefined if no area has one. */
export const { tokenRoute } = Object.values(definitions).find((area) => area.tokenRoute) ?? {};

/** Whose token a route needs, if any: other accounts than an administrator's get a 403. */
export type TokenNeeds = (route: Route) => "account" | "admin" | undefined;

const Operations = z.record(z.string(), z.object({ security: z.unknown(), responses: z.unknown() }));

/**
 * Needs as declared, and of the deployment's access rules as its document says, and whether its login is closed. One
 * call.
 */
export async function tokenNeeds(client: HttpClient): Promise<{ needs: TokenNeeds; isClosed: boolean }> {
  const { text } = await client.send({ method: "GET", target: "/openapi.json" });
  const { data } = z
    .object({ paths: z.record(z.string(), Operations) })
    .safeParse(text.startsWith("{") ? JSON.parse(text) : undefined);
  const hasBearer = z.tuple([z.object({ bearer: z.array(z.string()) })]).rest(z.unknown());
  const needs: TokenNeeds = ({ authorizer, pattern, method }) => {
    if (authorizer?.scheme === "apiKey") return undefined;
    const { security, responses } = data?.paths[pattern]?.[method.toLowerCase()] ?? {};
    const isDeclared = authorizer !== undefined && !authorizer.isOptional;
    if (!isDeclared && !hasBearer.safeParse(security).success) return undefined;
    const errors = isDeclared ? authorizer.errors : ((responses ?? {}) as object);
    return "403" in errors ? "admin" : "account";
  };
  const [, login = ""] = tokenRoute?.split(" ") ?? [];
  return { needs, isClosed: text.includes('"openIdConnect"') && data?.paths[login] === undefined };
}

/** The request that logs in as `admin`, in its body, because query strings end up in logs. */
export function adminLogin(password: string): PreparedRequest | undefined {
  return tokenRoute === undefined
    ? undefined
    : toRequest(tokenRoute, { body: { username: "admin", password } });
}

/** The header for the token in a response (RFC 6749, 5.1). @throws ZodError if it has none */
export function bearerHeader(responseText: string): Headers {
  const { access_token } = z.object({ access_token: z.string() }).parse(JSON.parse(responseText));
  return { authorization: `Bearer ${access_token}` };
}
