import type { RepairResult } from "../../functions/repair/repair.ts";
import { followLinks } from "../support/api/links.ts";
import { credentials } from "../support/data/credentials.ts";
import type { ServiceClient } from "./client.ts";
import type { Fields, FinalState, History, Listing, RecordArea, StoredRecord } from "./history.ts";
import { recordAreas } from "./history.ts";
import { recordOf } from "./recorder.ts";
import type { StoredState } from "./stored-state.ts";
import { accountPassword } from "./workload.ts";

/** How many of the registered accounts log in: each takes as long as a hash. */
const LOGINS = 20;

/** Reads everything back, in all the ways that the API has. */
export async function readState(
  client: ServiceClient,
  { registrations }: Pick<History, "registrations">,
  repairs: readonly RepairResult[],
  stored: StoredState,
): Promise<FinalState> {
  const get = async (path: string, headers = {}) => client.send("GET", path, undefined, headers);
  const list = async (path: string, recordsOf?: (body: never) => readonly StoredRecord[]) =>
    (await followLinks((target) => get(target), path, recordsOf)).records;

  async function pages(area: RecordArea, parameters: string): Promise<Listing> {
    const { body } = await get(`/${area}?page=1&${parameters}`);
    const paged = body as { readonly total: number };
    const records = await list(
      `/${area}?page=1&${parameters}`,
      (page: { items: StoredRecord[] }) => page.items,
    );
    return { name: `GET /${area}?${parameters}`, records, total: paged.total };
  }

  /** A page of items has their names only. */
  async function itemListings(): Promise<Listing[]> {
    const items = await pages("items", "size=7");
    return [
      { name: "GET /items/{id}", records: await readEach(get, items.records) },
      { ...items, fields: ["id", "name"] },
      { ...(await pages("items", "size=100")), fields: ["id", "name"] },
    ];
  }

  const orders = await list("/orders");
  const ordersByStatus = await Promise.all(
    ["pending", "paid", "shipped", "delivered", "cancelled"].map((status) =>
      list(`/orders?status=${status}`),
    ),
  );
  const posts = byId(await list("/posts?limit=100"));
  const listings: Readonly<Record<RecordArea, readonly Listing[]>> = {
    todos: [
      { name: "GET /todos", records: await list("/todos") },
      { name: "GET /todos?limit=9", records: await list("/todos?limit=9") },
    ],
    users: [
      { name: "GET /users", records: await list("/users") },
      { name: "GET /users?page", records: await list("/users?page=1&limit=9") },
      { name: "GET /users?sort=age", records: byId(await list("/users?sort=age")) },
    ],
    products: [
      { name: "GET /products", records: await list("/products?in_stock=false") },
      await pages("products", "size=7"),
    ],
    orders: [
      { name: "GET /orders", records: orders },
      { name: "GET /orders?limit=50", records: await list("/orders?limit=50") },
      { name: "GET /orders?status", records: byId(ordersByStatus.flat()) },
    ],
    posts: [
      { name: "GET /posts", records: posts },
      {
        name: "GET /posts?sort_by=view_count",
        records: byId(await list("/posts?sort_by=view_count&limit=9")),
      },
      { name: "GET /posts/search", records: byId(await list("/posts/search?q=name")) },
    ],
    items: recordAreas.includes("items") ? await itemListings() : [],
  };
  const { body: postStatistics } = await get("/posts/stats/summary");
  const token = (await client.send("POST", "/auth/login", credentials.admin)).body as {
    access_token: string;
  };
  const accounts = await followLinks<{ username: string }>(
    (target) => get(target, { authorization: `Bearer ${token.access_token}` }),
    "/admin/users?limit=50",
  );
  return {
    listings,
    postStatistics: postStatistics as FinalState["postStatistics"],
    usernames: accounts.records.map(({ username }) => username),
    failedLogins: await failedLogins(client, registrations),
    repairedIds: repairedIds(repairs),
    ...stored,
  };
}

function repairedIds(repairs: readonly RepairResult[]): FinalState["repairedIds"] {
  const all = Map.groupBy(
    repairs.flatMap(({ tables }) => tables),
    ({ table }) => table.area,
  );
  return Object.fromEntries(
    [...all].map(([area, results]) => [
      area,
      results.reduce((sum, { unmarked, mismarked }) => sum + unmarked + mismarked, 0),
    ]),
  );
}

async function readEach(
  get: (path: string) => Promise<{ readonly body: Fields }>,
  records: readonly StoredRecord[],
): Promise<StoredRecord[]> {
  return await Promise.all(
    records.map(async ({ id }) => recordOf("items", (await get(`/items/${id}`)).body)),
  );
}

async function failedLogins(
  client: ServiceClient,
  registrations: History["registrations"],
): Promise<string[]> {
  const registered = registrations.flatMap(({ outcome, usernames }) => (outcome === "done" ? usernames : []));
  const logins = registered.slice(0, LOGINS).map(async (username) => {
    const response = await client.trySend("POST", "/auth/login", { username, password: accountPassword }, {});
    return response?.status === 200 ? [] : [username];
  });
  return (await Promise.all(logins)).flat();
}

function byId(records: readonly StoredRecord[]): StoredRecord[] {
  return [...records].sort((a, b) => a.id - b.id);
}
