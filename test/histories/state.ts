import type { RepairResult } from "../../functions/repair/repair.ts";
import { followLinks } from "../support/api/links.ts";
import { credentials } from "../support/data/credentials.ts";
import type { ServiceClient } from "./client.ts";
import type { FinalState, History, Listing, RecordArea, StoredRecord } from "./history.ts";
import { recordAreas } from "./history.ts";
import { recordOf } from "./recorder.ts";
import type { StoredState } from "./stored-state.ts";
import { accountPassword } from "./workload.ts";

const LOGINS = 20;

export async function readState(
  client: ServiceClient,
  { registrations }: Pick<History, "registrations">,
  repairs: readonly RepairResult[],
  stored: StoredState,
): Promise<FinalState> {
  const get = (path: string, headers = {}) => client.send("GET", path, undefined, headers);
  const list = async (path: string, recordsOf?: (body: never) => StoredRecord[]): Promise<Listing> => {
    const { records } = await followLinks((target) => get(target), path, recordsOf);
    return { name: `GET ${path}`, records: records.sort((a, b) => a.id - b.id) };
  };

  async function pages(area: RecordArea, size: number): Promise<Listing> {
    const path = `/${area}?page=1&size=${size}`;
    const { total } = (await get(path)).body;
    return { ...(await list(path, ({ items }: { items: StoredRecord[] }) => items)), total };
  }

  /** A page of items has their names only. */
  async function itemListings(): Promise<Listing[]> {
    const inPages = [await pages("items", 7), await pages("items", 100)];
    const ids = inPages[0]?.records.map(({ id }) => id) ?? [];
    const records = ids.map(async (id) => recordOf("items", (await get(`/items/${id}`)).body));
    return [
      { name: "GET /items/{id}", records: await Promise.all(records) },
      ...inPages.map((page) => ({ ...page, fields: ["id", "name"] })),
    ];
  }

  const ordersByStatus: StoredRecord[] = [];
  for (const status of ["pending", "paid", "shipped", "delivered", "cancelled"])
    ordersByStatus.push(...(await list(`/orders?status=${status}`)).records);
  const listings: Readonly<Record<RecordArea, readonly Listing[]>> = {
    todos: [await list("/todos"), await list("/todos?limit=9")],
    users: [await list("/users"), await list("/users?page=1&limit=9"), await list("/users?sort=age")],
    products: [await list("/products?in_stock=false"), await pages("products", 7)],
    orders: [
      await list("/orders"),
      await list("/orders?limit=50"),
      { name: "GET /orders?status", records: ordersByStatus },
    ],
    posts: [
      await list("/posts?limit=100"),
      await list("/posts?sort_by=view_count&limit=9"),
      await list("/posts/search?q=name"),
    ],
    items: recordAreas.includes("items") ? await itemListings() : [],
  };
  const { access_token: token } = (await client.send("POST", "/auth/login", credentials.admin)).body;
  const accounts = await followLinks<{ username: string }>(
    (target) => get(target, { authorization: `Bearer ${token}` }),
    "/admin/users?limit=50",
  );
  const repairedIds: Record<string, number> = {};
  for (const { table, unmarked, mismarked } of repairs.flatMap(({ tables }) => tables))
    repairedIds[table.area] = (repairedIds[table.area] ?? 0) + unmarked + mismarked;
  return {
    ...{ listings, repairedIds, ...stored },
    postStatistics: (await get("/posts/stats/summary")).body,
    usernames: accounts.records.map(({ username }) => username),
    failedLogins: await failedLogins(client, registrations),
  };
}

async function failedLogins(client: ServiceClient, registrations: History["registrations"]) {
  const registered = registrations.flatMap(({ outcome, usernames }) => (outcome === "done" ? usernames : []));
  const logins = registered.slice(0, LOGINS).map(async (username) => {
    const response = await client.trySend("POST", "/auth/login", { username, password: accountPassword }, {});
    return response?.status === 200 ? [] : [username];
  });
  return (await Promise.all(logins)).flat();
}
