import { afterAll, expect, it } from "vitest";
import * as z from "zod/mini";
import { allCredentials } from "../../bench/costs/measurements.ts";
import { allRoutes } from "../../functions/definitions.ts";
import { idIn, type PreparedRequest, prepareWithRecords } from "../../functions/example-requests.ts";
import { cheapestCycle } from "../../functions/trial-requests.ts";
import { resolveAccess } from "../../infra/settings/access.ts";
import { hasOwners, mayCall } from "../../lib/auth/access.ts";
import { DEFAULT_ROLE } from "../../lib/domain/roles.ts";
import type { Route } from "../../lib/http/route.ts";
import { giveRecord, idsOfOwner } from "../../lib/records/owners.ts";
import { RecordRepository } from "../../lib/records/record-repository.ts";
import { withTables } from "../../local/database/seed.ts";
import { runLocally } from "../../local/run.ts";
import { secretValues } from "../support/data/credentials.ts";
import { statusesOfExample } from "../support/own-access.ts";
import { patientEnvironment, patientLimits } from "../support/programs/run.ts";

const denied: string[] = [];
const access = "owner,accounts.create:admin";
const run = await runLocally({
  dataDirectory: "memory",
  secrets: secretValues,
  // Registration is closed, which two more functions enforce.
  stageSettings: { access },
  environment: patientEnvironment,
  limits: patientLimits,
  log: ({ source, text }) => {
    if (source === "iam") denied.push(text);
  },
});
afterAll(() => run.close());

async function send(username: string, method: string, path: string, body?: unknown) {
  const request = { method, headers: await allCredentials(username), body: JSON.stringify(body) };
  const response = await fetch(run.url + path, { ...request, redirect: "manual" });
  await response.text();
  return { status: response.status, id: idIn(response.headers.get("location") ?? "") };
}

const register = (username: string) =>
  send("admin", "POST", "/users/", { username, email: `${username}@example.com`, password: "Analytical1" });

const rules = resolveAccess(access.split(","));
const give = (area: string, id: number, username: string) =>
  withTables(run.engine, run.model().tables, (client, findTable) =>
    giveRecord(client, findTable(area) ?? "", id, username),
  );
const needsAdmin = (route: Route) => route.authorizer?.role || !mayCall(DEFAULT_ROLE, route, rules);

it("lets administrators alone register accounts", async () => {
  await register("eve");
  const body = { username: "mallory", email: "m@example.com", password: "Analytical1" };
  for (const [path, json] of Object.entries({ "/users/": body, "/users/batch": [body] })) {
    expect(await send("eve", "POST", path, json)).toMatchObject({ status: 403 });
    const response = await fetch(run.url + path, { method: "POST", body: JSON.stringify(json) });
    expect(response.status, path).toBe(401);
  }
});

it.each(["ada", "admin"])("lets %s call every route with what the functions' roles allow", async (caller) => {
  await register(caller);
  const sendAs = ({ route, method, target, body, username = caller }: PreparedRequest) =>
    send(needsAdmin(route) ? "admin" : username, method, target, body);
  const create = async (request: PreparedRequest) => {
    const { id } = await sendAs(request);
    const { tag } = request.route;
    // Others than its creator see a record that is given to them.
    if (needsAdmin(request.route) && hasOwners(rules[tag])) await give(tag, id, caller);
    return id;
  };
  for (const route of allRoutes) {
    const unique = crypto.randomUUID().slice(0, 8);
    const request = await prepareWithRecords(route.key, { ids: new Map(), unique, create });
    expect(statusesOfExample(route), route.key).toContain((await sendAs(request)).status);
  }
  expect(denied).toEqual([]);
});

const creation = cheapestCycle(rules)?.requests.slice(0, 1) ?? [];
it.each(creation)("refuses $target of a deleted account from the response on", async ({ target, body }) => {
  const [method = "", path = ""] = target.split(" ");
  const { tag = "" } = allRoutes.find(({ key }) => key === target) ?? {};
  for (let round = 0; round < 3; round += 1) {
    const username = `gone${round}`;
    await register(username);
    let isDeleted = false;
    const remove = async () => {
      const { status } = await send(username, "POST", "/users/me/deletion", { password: "Analytical1" });
      expect(status).toBe(204);
      isDeleted = true;
    };
    const created: number[] = [];
    const write = async () => {
      for (let isLate = false; !isLate; ) {
        isLate = isDeleted;
        const { status, id } = await send(username, method, path, body);
        if (status === 201) created.push(id);
        expect(status).toBeOneOf(isLate ? [401] : [201, 401]);
      }
    };
    await Promise.all([write(), write(), remove(), write()]);

    await withTables(run.engine, run.model().tables, async (client, findTable) => {
      const records = new RecordRepository(client, findTable(tag) ?? "", z.object({}));
      const owned = await idsOfOwner(client, findTable(tag) ?? "", username);
      expect(owned).toEqual(created.sort((a, b) => a - b));
      const owners = (await records.readMany(owned)).map(({ owner }) => owner);
      expect(owners).toEqual(owned.map(() => username));
    });
  }
});
