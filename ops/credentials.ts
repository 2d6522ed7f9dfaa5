import * as z from "zod";
import { definitions } from "../functions/definitions.ts";
import { type PreparedRequest, toRequest } from "../functions/example-requests.ts";
import type { Route } from "../lib/http/route.ts";

export type Headers = Readonly<Record<string, string>>;

/** The key of the route that returns a bearer token; undefined if no area has one. */
export const { tokenRoute } = Object.values(definitions).find((area) => area.tokenRoute) ?? {};

/** Whether only an administrator may call a route: other accounts get a 403. */
export function needsAdmin({ authorizer }: Route): boolean {
  return authorizer?.errors[403] !== undefined;
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
