import { inject } from "vitest";
import { idIn, type PreparedRequest, prepareWithRecords } from "../../../functions/example-requests.ts";
import type { Route } from "../../../lib/http/route.ts";
import { asAdmin } from "../data/accounts.ts";
import { schemeOf } from "../own-access.ts";
import type { ApiResponse } from "./conformance.ts";
import { api } from "./target.ts";

const issuedKeys = new Map<string, Promise<string>>();

async function issueKey({ route, field }: NonNullable<NonNullable<Route["authorizer"]>["issuedBy"]>) {
  return JSON.parse((await sendExample(route, new Map())).text)[field] as string;
}

/** The headers that a route needs: those of an administrator, the static key, or a key that a route issues. */
export async function credentialsFor({ route }: PreparedRequest): Promise<Readonly<Record<string, string>>> {
  const scheme = schemeOf(route);
  if (scheme === undefined) return {};
  const { issuedBy } = route.authorizer ?? {};
  if (scheme === "apiKey" && issuedBy) {
    if (!issuedKeys.has(issuedBy.route)) issuedKeys.set(issuedBy.route, issueKey(issuedBy));
    return { "x-api-key": (await issuedKeys.get(issuedBy.route)) ?? "" };
  }
  return scheme === "bearer" ? (await asAdmin()).headers : { "x-api-key": inject("target").apiKey ?? "" };
}

/** Prepares the example request of a route, after it created the records to which the request refers. */
export function prepareExample(key: string, ids: Map<string, number>): Promise<PreparedRequest> {
  const create = async (request: PreparedRequest) => idOf(await send(request));
  return prepareWithRecords(key, { ids, unique: crypto.randomUUID().slice(0, 8), create });
}

/**
 * Sends the example request of a route.
 *
 * @param ids of the records that were created, by the key of their route; those that are missing are created and added
 */
export async function sendExample(key: string, ids: Map<string, number>): Promise<ApiResponse> {
  return await send(await prepareExample(key, ids));
}

async function send(request: PreparedRequest): Promise<ApiResponse> {
  const { method, target, body } = request;
  return await api.request(method, target, body, { headers: await credentialsFor(request) });
}

/** The id in the address of a created record; 0 if it has none. */
export function idOf({ status, text, headers }: ApiResponse): number {
  if (status !== 201) throw new Error(`A creation returned ${status} ${text}`);
  return idIn(headers.get("location") ?? "");
}
