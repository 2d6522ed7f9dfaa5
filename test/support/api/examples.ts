import { inject } from "vitest";
import { idIn, type PreparedRequest, prepareWithRecords } from "../../../functions/example-requests.ts";
import { asAdmin } from "../data/accounts.ts";
import { type IssuedKeys, issuedKeyOf, issueKeys } from "../issued-keys.ts";
import { schemeOf } from "../own-access.ts";
import type { ApiResponse } from "./conformance.ts";
import { api } from "./target.ts";

let issued: Promise<IssuedKeys> | undefined;

/** The headers that a route needs: those of an administrator, the static key, or a key that a route issues. */
export async function credentialsFor({ route }: PreparedRequest): Promise<Readonly<Record<string, string>>> {
  const scheme = schemeOf(route);
  if (scheme === undefined) return {};
  if (route.authorizer?.issuedBy) {
    issued ??= issueKeys((key) => sendExample(key, new Map()));
    return { "x-api-key": issuedKeyOf(route, await issued) ?? "" };
  }
  return scheme === "bearer" ? (await asAdmin()).headers : { "x-api-key": inject("target").apiKey ?? "" };
}

export function prepareExample(key: string, ids: Map<string, number>): Promise<PreparedRequest> {
  const create = async (request: PreparedRequest) => idOf(await send(request));
  return prepareWithRecords(key, { ids, unique: crypto.randomUUID().slice(0, 8), create });
}

/** Sends the example of a route. @param ids of created records by the key of their route; missing ones are created */
export async function sendExample(key: string, ids: Map<string, number>): Promise<ApiResponse> {
  return await send(await prepareExample(key, ids));
}

async function send(request: PreparedRequest): Promise<ApiResponse> {
  const { method, target, body } = request;
  return await api.request(method, target, body, { headers: await credentialsFor(request) });
}

export function idOf({ status, text, headers }: ApiResponse): number {
  if (status !== 201) throw new Error(`A creation returned ${status} ${text}`);
  return idIn(headers.get("location") ?? "");
}
