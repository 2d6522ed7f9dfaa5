import { allRoutes } from "../../functions/definitions.ts";
import { idIn, type PreparedRequest } from "../../functions/example-requests.ts";
import { operationOf } from "../../lib/http/route.ts";
import { handlersWith, inProcess } from "../../test/support/api/in-process.ts";
import { type IssuedKeys, issuedKeyOf, issueKeys } from "../../test/support/issued-keys.ts";
import type { Usage } from "../../test/support/programs/usage.ts";
import { allCredentials, prepareMeasured } from "./measurements.ts";
import type { MeteredDatabase } from "./metering.ts";

/** Measures routes with the access rule `owner`, for an account with some ten records of each kind. */
export async function measureWithOwner(
  { usageOf }: MeteredDatabase,
  target: Parameters<typeof inProcess>[0],
  usages: Map<string, Usage>,
): Promise<void> {
  const send = inProcess({ ...target, remainingMs: 600_000, handlers: await handlersWith("owner", target) });
  let issued: IssuedKeys | undefined;
  const sendAsOwner = async ({ route, method, target, body, username = "adaowner" }: PreparedRequest) => {
    const all = await allCredentials(route.authorizer?.errors[403] ? undefined : username);
    const headers = { ...all, "x-api-key": issuedKeyOf(route, issued) ?? all["x-api-key"] };
    return send({ method, target, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  };
  const prepareOwn = (name: string, unique = crypto.randomUUID().slice(0, 8), ids?: Map<string, number>) => {
    const create = async (request: PreparedRequest) =>
      idIn((await sendAsOwner(request)).headers.get("location") ?? "");
    return prepareMeasured(name, { count: 1, unique, create }, ids);
  };
  await sendAsOwner(await prepareOwn("POST /users/", "owner"));
  issued = await issueKeys(async (key) => sendAsOwner(await prepareOwn(key)));
  const ids = new Map<string, number>();
  for (const route of allRoutes)
    for (let i = 0; i < 10 && operationOf(route) === "create" && !route.pattern.includes("{"); i += 1)
      await sendAsOwner(await prepareOwn(route.key, undefined, ids));
  // Lists come first, before there are more records.
  for (const { key } of allRoutes.toSorted(
    (a, b) => Number(b.method === "GET") - Number(a.method === "GET"),
  )) {
    const request = await prepareOwn(key);
    const { calls, inSequence, units } = await usageOf(() => sendAsOwner(request));
    usages.set(key, { calls, inSequence, units });
  }
}
