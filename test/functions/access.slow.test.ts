import { runInNewContext } from "node:vm";
import { afterAll, describe, expect, inject, it } from "vitest";
import { allRoutes, definitions, routesByArea } from "../../functions/definitions.ts";
import {
  exampleOf,
  idIn,
  type PreparedRequest,
  prepareWithRecords,
} from "../../functions/example-requests.ts";
import { accessEntry, resolveAccess } from "../../infra/settings/access.ts";
import { textOf } from "../../infra/settings/settings.ts";
import { resolveStage } from "../../infra/settings/stages.ts";
import { accessRules } from "../../lib/auth/access.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { orNotFound } from "../../lib/domain/errors.ts";
import { type RoleName, roleNames, roles } from "../../lib/domain/roles.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { type Operation, operationOf, type Route } from "../../lib/http/route.ts";
import { giveRecord } from "../../lib/records/owners.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { tableName } from "../../lib/settings.ts";
import { handlersWith, inProcess } from "../support/api/in-process.ts";
import { prepareInProcess } from "../support/api/in-process-target.ts";
import { credentials, secretValues } from "../support/data/credentials.ts";
import { synthesizedApp } from "../support/infra/assembly.ts";
import { issuedKeyOf, issueKeys } from "../support/issued-keys.ts";
import { codeBlocksOf, codeNamesOf } from "../support/markdown.ts";
import { statusesOfExample } from "../support/own-access.ts";
import "../support/cheap-passwords.ts";

const [engine] = inject("engines");
const { target, close } = await prepareInProcess(engine?.endpoint ?? "", { app: synthesizedApp("dev") });
afterAll(close);

/** Whose names are callers as well. */
const ownRoles: readonly RoleName[] = roleNames.filter((role) => role !== "user");
const callers = ["none", "expired", "stranger", "owner", ...ownRoles] as const;
type Caller = (typeof callers)[number];

/** What the callers get, in their order: 0 stands for the response of the operation itself. */
const table: Readonly<Record<string, readonly number[]>> = {
  anyone: callers.map(() => 0),
  account: [401, 401, 0, 0, ...ownRoles.map(() => 0)],
  user: [401, 401, 0, 0, ...ownRoles.map(() => 0)],
  owner: [401, 401, 0, 0, ...ownRoles.map(() => 0)],
  "owner of a record": [401, 401, 404, 0, ...ownRoles.map((role) => ("seesAll" in roles[role] ? 0 : 404))],
  ...Object.fromEntries(
    ownRoles.map((needed) => [
      needed,
      [401, 401, 403, 403, ...ownRoles.map((role) => (role === needed || role === "admin" ? 0 : 403))],
    ]),
  ),
};

/** The API as a deployment with access rules serves it. */
async function serviceWith(access: string) {
  const rules = resolveAccess(access.split(","));
  const handlers = await handlersWith(access, target);
  const send = inProcess({ ...target, handlers });
  const call = async ({ method, target, body }: Omit<PreparedRequest, "route">, headers = {}) =>
    send({ method, target, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const logIn = async ({ username, password }: typeof credentials.admin) => {
    const { text } = await call({ method: "POST", target: "/auth/login", body: { username, password } });
    return { authorization: `Bearer ${JSON.parse(text).access_token}` };
  };
  const unique = crypto.randomUUID().slice(0, 8);
  const admin = await logIn(credentials.admin);
  const headers: Record<string, Readonly<Record<string, string>>> = { none: {}, admin };
  const accounts = new AccountsRepository(documentClient(), tableName("accounts"));
  const register = async (caller: Caller, role?: RoleName) => {
    const [username, email] = [`${caller}_${unique}`, `${caller}@${unique}.example.com`];
    const body = { username, email, password: "Correct horse 1" };
    await call({ method: "POST", target: "/users/", body }, admin);
    if (role) await accounts.save({ ...orNotFound(await accounts.get(username), "User"), role });
    headers[caller] = await logIn(body);
    return username;
  };
  const owner = await register("owner");
  await register("stranger");
  for (const role of ownRoles) if (role !== "admin") await register(role, role);
  const now = () => new Date(Date.now() - 3_600_000);
  const past = new Tokens({ secrets: async () => secretValues.SigningSecrets.split(", "), now });
  headers.expired = { authorization: `Bearer ${await past.issue(owner)}` };
  const create = async (request: PreparedRequest) =>
    idIn((await call(request, admin)).headers.get("location") ?? "");
  const source = { ids: new Map(), unique, create };
  const issued = await issueKeys(async (key) => call(await prepareWithRecords(key, source), admin));
  return { call, headers, rules, owner, issued };
}

/** The specification's rule of a route that no access rule is about. */
function ownRule({ authorizer }: Route): string {
  if (authorizer === undefined || authorizer.isOptional) return "anyone";
  return authorizer.role ?? "account";
}

/** The areas of the records in the path of a route's example. */
function areasInPath({ key }: Route): string[] {
  const creations: string[] = [];
  const { path = {} } = exampleOf(key, { unique: "", id: (creation) => creations.push(creation) });
  return Object.values(path).map((id) => areaOf.get(creations[Number(id) - 1] ?? "") ?? "");
}

const areaOf = new Map(allRoutes.map(({ key, tag }) => [key, tag]));

/** Without the rules of areas that a service of one's own has removed. */
const existing = (text: string) =>
  text
    .split(",")
    .filter((entry) => !/^(items|orders|posts|todos|users)\b/.test(entry) || accessEntry.test(entry))
    .join();

/** The examples of docs/settings.md, as values and as text. */
const examples = codeBlocksOf("docs/settings.md", "ts")
  .flatMap((block) => block.match(/^access: .*$/gm) ?? [])
  .map((line) => existing(textOf(runInNewContext(`({ ${line}\n}).access`))));
const texts = codeNamesOf("docs/settings.md").filter((name) => name.startsWith("others:account,"));

const settings = [
  ...accessRules,
  ...texts,
  "account,users.write:owner,posts.get:account,posts.list:owner,posts.write:owner,orders.read:owner,orders.update:admin,items.read:owner,items.create:owner,items.delete:admin,todos.read:anyone",
  "users:owner,todos:admin,posts:account,items:anyone,accounts.create:account",
].map(existing);

describe.each(settings)("with the access rules %s", async (access) => {
  const { call, headers, rules, owner, issued } = await serviceWith(access);
  const ruleOf = (route: Route) => {
    const operation = operationOf(route);
    return operation ? (rules[route.tag]?.[operation] ?? "anyone") : ownRule(route);
  };
  const keyOf = (route: Route) => ({ "x-api-key": issuedKeyOf(route, issued) ?? credentials.apiKey });
  const isPrivate = (area: string) => rules[area]?.get === "owner";
  const create = async (request: PreparedRequest) => {
    const { key, tag } = request.route;
    const needsRole = ownRoles.some((role) => role === ruleOf(request.route));
    const isKeyed = request.route.authorizer?.scheme === "apiKey";
    const credential = isKeyed ? keyOf(request.route) : headers[needsRole ? "admin" : "owner"];
    const { headers: created, status } = await call(request, credential);
    expect(status, key).toBe(201);
    const id = idIn(created.get("location") ?? "");
    if (needsRole && isPrivate(tag)) await giveRecord(documentClient(), tableName(tag), id, owner);
    return id;
  };
  /** The status of the example request about records of the owner's own; 0 if that is one of its own. */
  const statusFor = async (route: Route, credential?: Readonly<Record<string, string>>) => {
    const unique = crypto.randomUUID().slice(0, 8);
    const request = await prepareWithRecords(route.key, { ids: new Map(), unique, create });
    const { status } = await call(request, credential);
    const isOwn = statusesOfExample(route).includes(status);
    // The example's password is another.
    return isOwn || (request.username && [403, 429].includes(status)) ? 0 : status;
  };
  /** Whether a setting or an area says in so many words that anyone may. */
  const isOpen = ({ tag, method }: Route, operation: Operation) => {
    const targets = ["others", tag, `${tag}.${method === "GET" ? "read" : "write"}`, `${tag}.${operation}`];
    const opening = ["anyone", ...targets.map((target) => `${target}:anyone`)];
    return (
      definitions[tag]?.access !== undefined || access.split(",").some((entry) => opening.includes(entry))
    );
  };

  it.each(allRoutes)("$key lets in whom it should", async (route) => {
    const isKey = route.authorizer?.scheme === "apiKey";
    const statuses = [];
    for (const caller of callers)
      statuses.push(await statusFor(route, isKey && caller === "admin" ? keyOf(route) : headers[caller]));
    const operation = operationOf(route);
    if (operation && statuses[0] !== 401) expect(isOpen(route, operation)).toBe(true);
    const rule = ruleOf(route);
    const isOfRecord = areasInPath(route).some((area) =>
      area === route.tag ? rule === "owner" : isPrivate(area) && ["account", "user", "owner"].includes(rule),
    );
    // A creation may look for the records that its body names.
    const isForeign = isOfRecord || (isPrivate(route.tag) && statuses[2] === 404);
    const expected = table[isForeign ? "owner of a record" : rule];
    const ofKey = callers.map((caller) => (caller === "admin" ? 0 : 401));
    expect(statuses).toEqual(isKey ? ofKey : expected);
  });
});

it("are in docs/settings.md as prod takes them", () => {
  const required = { origins: "https://www.example.com", alarmEmail: "none" };
  const stages = examples.map((access) => resolveStage("prod", { ...required, access }).access);
  expect(stages).toEqual([
    resolveAccess(["owner"]),
    expect.objectContaining({ accounts: { create: "admin" } }),
  ]);
  expect(examples[1]).toBe(texts.map(existing).join());
});

it("leave only the routes open that are public in every deployment", () => {
  const open = allRoutes.filter((route) => operationOf(route) === undefined && ownRule(route) === "anyone");
  // Those of passwords, an example, are for who has forgotten one.
  const areas = ["accounts", "demonstration", "passwords", "system"].filter((area) => area in routesByArea);
  expect(new Set(open.map(({ tag }) => tag))).toEqual(new Set(areas));
});

describe("records that belong to accounts", async () => {
  const user = { name: "Mine", email: "a@b", age: 1 };
  const hasRoute = (each = "") => allRoutes.some(({ key }) => key === each);
  const withUsers = hasRoute("POST /users") ? ["users"] : [];
  const all = "others:owner,items:owner,orders:owner,posts:owner,users:owner";
  const { call, headers } = await serviceWith(existing(all));
  const as = (caller: Caller) => async (key: string, body?: unknown, more?: object) => {
    const [method = "", target = ""] = key.split(" ");
    const { status, text } = await call({ method, target, body }, { ...headers[caller], ...more });
    return { status, text, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
  };
  const [owner, stranger, admin] = [as("owner"), as("stranger"), as("admin")];

  it("are listed, searched, counted and paged by their owner alone, at once, and by administrators", async () => {
    const post = { title: "Mine", content: "words", tags: ["own"], status: "published" };
    const creations = {
      "POST /posts": post,
      "POST /items/": { name: "Mine" },
      "POST /users": user,
      "POST /orders": [{ product_id: 1, quantity: 1 }],
    };
    for (const send of [owner, stranger, owner])
      for (const [key, body] of Object.entries(creations).filter(([each]) => hasRoute(each)))
        expect(await send(key, body), key).toMatchObject({ status: 201 });
    const lists = [
      ["GET /posts", "GET /posts?tag=own", "GET /posts?status=published", "GET /posts/search?q=words"],
      ["GET /posts?sort_by=view_count&tag=own", "GET /orders?status=pending", "GET /orders?user_id=1"],
      ["GET /orders", "GET /users?name=mine", "GET /users?sort=age", "GET /users?page=1"],
      ["GET /users/search?q=mine"],
    ]
      .flat()
      .filter((key) => hasRoute(key.split("?")[0]));
    const counts = async (send: typeof owner) =>
      Promise.all(lists.map(async (key) => (await send(key)).body.length));
    expect(await counts(owner)).toEqual(lists.map(() => 2));
    expect(await counts(stranger)).toEqual(lists.map(() => 1));
    for (const count of await counts(admin)) expect(count).toBeGreaterThanOrEqual(3);
    if (!hasRoute("GET /posts/stats/summary") || !hasRoute("GET /items")) return;
    const statistics = { total_posts: 2, by_status: { published: 2 } };
    expect((await owner("GET /posts/stats/summary")).body).toMatchObject(statistics);
    const page = await owner("GET /items?page=2&size=1");
    expect(page.body).toMatchObject({ items: [{ name: "Mine" }], total: 2, pages: 2 });
  });

  it.each(withUsers)("are for others as if there were none, whatever the request is: %s", async () => {
    const { id } = (await owner("POST /users", user)).body;
    const requests: [string, unknown?, object?][] = [
      ["GET"],
      ["PUT", { name: "Theirs", email: "c@d", age: 2 }],
      ["PUT", { name: "" }],
      ["PATCH", { age: 3 }],
      ["PATCH", { age: 3 }, { "if-match": "*" }],
      ["DELETE"],
    ];
    for (const [method, ...rest] of requests) {
      const [foreign, none] = [id, 987_654].map((each) => stranger(`${method} /users/${each}`, ...rest));
      expect(await foreign, method).toEqual(await none);
    }
    expect((await owner(`GET /users/${id}`)).body.data).toEqual({ id, ...user });
  });

  it.each(withUsers)("are created once for each account with the same idempotency key: %s", async () => {
    const key = { "idempotency-key": "shared" };
    const create = async (send: typeof owner) => (await send("POST /users", user, key)).body.id;
    const ids = [await create(owner), await create(stranger), await create(owner)];
    expect(ids[2]).toBe(ids[0]);
    expect(ids[1]).not.toBe(ids[0]);
  });
});
