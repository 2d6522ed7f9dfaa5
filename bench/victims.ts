import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { runCommand } from "../cli/command.ts";
import { random } from "../test/support/random.ts";
import { markdownTable } from "./markdown-table.ts";
import type { RawItem } from "./simulation/expressions.ts";
import { VirtualClock } from "./simulation/virtual-clock.ts";

process.env.AWS_LAMBDA_LOG_LEVEL = "ERROR";
const clock = new VirtualClock();
clock.install();
const { routeLimits } = await import("../infra/gateway/gateway.ts");
const { resolveStage } = await import("../infra/settings/stages.ts");
const stage = resolveStage("prod", {
  origins: "https://www.example.com",
  alarmEmail: "none",
  access: "specified",
});
const { createHandler } = await import("../lib/http/handler.ts");
const { SimulatedDatabase } = await import("./simulation/simulated-database.ts");
const { OrdersRepository } = await import("../lib/repositories/orders/orders.ts");
const { OrderPlacement } = await import("../lib/repositories/orders/placement.ts");
const { PostQueries } = await import("../lib/repositories/posts/post-queries.ts");
const { PostsRepository } = await import("../lib/repositories/posts/posts.ts");
const { ProductsRepository } = await import("../lib/repositories/products.ts");
const { TodosRepository } = await import("../lib/repositories/todos.ts");
const { UsersRepository } = await import("../lib/repositories/users.ts");
const functions = {
  orders: (await import("../functions/orders/routes.ts")).routes,
  posts: (await import("../functions/posts/routes.ts")).routes,
  products: (await import("../functions/products/routes.ts")).routes,
  todos: (await import("../functions/todos/routes.ts")).routes,
  users: (await import("../functions/users/routes.ts")).usersRoutes("api-version"),
};
type Area = keyof typeof functions;

const SECONDS = 4;
/** Execution environments of a function; each handles one request at a time. */
const MAX_ENVIRONMENTS = 500;
/** A second, of other records than the attacked ones, and of another area. */
const VICTIMS = { reads: 60, writes: 20, elsewhere: 20 };

/** Characters that take four bytes. */
const text = (length: number) => "😀".repeat(length);
const line = { M: { product_id: { N: "7" }, quantity: { N: "1" } } };
const tags = Array.from({ length: 20 }, (_, i) => text(48) + String(10 + i));
const time = { S: "2026-01-01T00:00:00.000Z" };

/** The largest record that a client can create, as it is stored. */
const stored: Readonly<Record<string, RawItem>> = {
  orders: {
    ...{ user_id: { N: "1" }, items: { L: Array.from({ length: 97 }, () => line) }, total: { N: "97" } },
    ...{ status: { S: "pending" }, created_at: time, updated_at: time },
  },
  posts: {
    ...{ author_id: { N: "1" }, title: { S: text(200) }, status: { S: "draft" }, version: { S: "v" } },
    ...{ tags: { L: tags.map((S) => ({ S })) }, created_at: time, updated_at: time },
    ...{ view_count: { N: "1" }, viewId: { S: "" } },
  },
  products: {
    ...{ name: { S: text(200) }, description: { S: text(2_000) }, category: { S: text(100) } },
    ...{ price: { N: "1" }, stock: { N: "1000000" } },
  },
  todos: { title: { S: text(1_000) }, completed: { BOOL: false } },
  users: { name: { S: text(200) }, email: { S: `@${text(300)}` }, age: { N: "1" } },
};
const content = { S: text(100_000) };

interface Request {
  readonly area: Area;
  /** The declared route, whose limit applies. */
  readonly route: string;
  readonly target?: string;
  readonly body?: unknown;
}

const post = { title: text(200), content: content.S, tags };
const lines = Array.from({ length: 97 }, (_, i) => ({ product_id: i + 1, quantity: 1 }));
const attacks: readonly Request[] = [
  { area: "todos", route: "GET /todos" },
  { area: "todos", route: "HEAD /todos" },
  { area: "todos", route: "POST /todos", body: { title: text(1_000) } },
  { area: "todos", route: "PUT /todos/{id}", body: { title: text(1_000) } },
  { area: "users", route: "GET /users" },
  { area: "users", route: "GET /users", target: "/users?name=x&sort=-age" },
  { area: "users", route: "GET /users/search", target: "/users/search?q=x" },
  { area: "users", route: "POST /users/search", body: { filters: { name: "x" } } },
  { area: "users", route: "POST /users", body: { name: text(200), email: `@${text(300)}`, age: 1 } },
  { area: "users", route: "PATCH /users/{id}", body: { name: text(200) } },
  { area: "products", route: "GET /products" },
  { area: "products", route: "GET /products", target: "/products?category=x" },
  { area: "orders", route: "GET /orders" },
  { area: "orders", route: "GET /orders", target: "/orders?status=pending" },
  { area: "orders", route: "POST /orders", body: lines },
  { area: "orders", route: "PATCH /orders/{order_id}/status", target: "/orders/7/status?status=paid" },
  { area: "posts", route: "GET /posts" },
  { area: "posts", route: "GET /posts", target: "/posts?limit=100" },
  { area: "posts", route: "GET /posts", target: "/posts?sort_by=view_count" },
  { area: "posts", route: "GET /posts", target: "/posts?search=x" },
  { area: "posts", route: "GET /posts/search", target: "/posts/search?q=x" },
  { area: "posts", route: "GET /posts/stats/summary" },
  { area: "posts", route: "GET /posts/{post_id}" },
  { area: "posts", route: "POST /posts", body: post },
  { area: "posts", route: "PUT /posts/{post_id}", body: post },
  { area: "posts", route: "GET /users/{id}/posts" },
];

const victims: Readonly<Record<Area, readonly [read: Request, write?: Request]>> = {
  todos: [
    { area: "todos", route: "GET /todos/{id}" },
    { area: "todos", route: "PUT /todos/{id}", body: { completed: true } },
  ],
  users: [
    { area: "users", route: "GET /users/{id}" },
    { area: "users", route: "PATCH /users/{id}", body: { age: 2 } },
  ],
  products: [{ area: "products", route: "GET /products/{product_id}" }],
  orders: [
    { area: "orders", route: "GET /orders/{order_id}" },
    { area: "orders", route: "POST /orders", body: [{ product_id: 0, quantity: 1 }] },
  ],
  posts: [
    { area: "posts", route: "GET /posts/{post_id}" },
    { area: "posts", route: "PATCH /posts/{post_id}", body: { status: "published" } },
  ],
};

/** The execution environments of all functions on one database. */
function openService(seed: number, records: number) {
  const { next } = random(seed);
  const database = new SimulatedDatabase(clock, next, (table, key) => itemOf(table, key, records));
  database.tableUnits = { read: stage.maxReadUnits, write: stage.maxWriteUnits };
  database.idsIn = (_, partition) =>
    partition === "ids" ? [-1, -1] : partition.startsWith("deleted") ? [1, 0] : [1, 2 * records];
  const newHandler = () => {
    const client = database.client();
    const now = () => new Date();
    return createHandler(
      Object.values(functions).flat() as never,
      () => () =>
        ({
          orders: new OrdersRepository(client, "orders", now),
          placement: new OrderPlacement(client, { orders: "orders", products: "products" }, now),
          posts: new PostsRepository(client, "posts", now),
          postQueries: new PostQueries(client, "posts"),
          products: new ProductsRepository(client, "products"),
          todos: new TodosRepository(client, "todos"),
          users: new UsersRepository(client, "users"),
          roles: { emailsWithRole: async () => new Set() },
          usersList: "records",
        }) as never,
    );
  };
  const idle: Record<string, ReturnType<typeof newHandler>[]> = {};
  let busy = 0;

  async function send({ area, route, target, body }: Request, id: number) {
    const [method = "", pattern = ""] = route.split(" ");
    const from = clock.now;
    const environment = idle[area]?.pop() ?? (busy < MAX_ENVIRONMENTS ? newHandler() : undefined);
    if (environment === undefined) return { status: 503, took: 0 };
    busy += 1;
    const [rawPath = "", rawQueryString] = (target ?? pattern.replace(/\{\w+\}/, String(id))).split("?");
    const event = {
      ...{
        rawPath,
        rawQueryString,
        headers: {},
        body: body === undefined ? undefined : JSON.stringify(body),
      },
      requestContext: { http: { method } },
    } as APIGatewayProxyEventV2;
    const context = { getRemainingTimeInMillis: () => 20_000 } as Context;
    const { statusCode = 500 } = await environment(event, context);
    busy -= 1;
    idle[area] = [...(idle[area] ?? []), environment];
    return { status: statusCode, took: clock.now - from };
  }
  return { send, next };
}

/** What is stored under a key that nobody has written. */
function itemOf(table: string, { pk, sk }: RawItem, records: number): RawItem | undefined {
  const [partition = "", id] = [pk?.S, Number(sk?.N)];
  if (partition === "ids")
    return id === -1 ? { pk: { S: partition }, sk: { N: "-1" }, last: { N: String(records) } } : undefined;
  if (id < 1 || id > records) return undefined;
  if (partition.startsWith("content#")) return { pk, sk, content, version: { S: "v" } } as RawItem;
  return partition === String(Math.floor((id - 1) / 1_000))
    ? ({ pk, sk, ...stored[table] } as RawItem)
    : undefined;
}

/** How many failures the functions have logged that count against a new version (docs/adr/0018). */
let countedFailures = 0;
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = ((text: string) => {
  if (!text.startsWith("{")) return write(text);
  if (text.includes('"function_version"')) countedFailures += 1;
  return true;
}) as typeof process.stdout.write;

/** Sends an attack at its route's limit beside the requests of the victims. */
async function simulate(
  area: Area,
  attack: Request | undefined,
  { seed, records }: { seed: number; records: number },
) {
  const { send, next } = openService(seed, records);
  const start = clock.now;
  countedFailures = 0;
  const key = attack?.route.replace(/(?<=\w)\/$/, "") ?? "";
  const attackRate = attack ? (routeLimits(stage)[key]?.perSecond ?? stage.requestsPerSecond) : 0;
  const answers = { attack: [] as number[], victims: [] as number[], elsewhere: [] as number[] };
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const arrive = async (perSecond: number, request: Request | undefined, who: keyof typeof answers) => {
    while (request && clock.now - start < SECONDS * 1_000) {
      await clock.wait((-Math.log(1 - next()) * 1_000) / perSecond);
      const id = who === "attack" ? 500 : 1 + Math.floor(next() * records);
      pending.push(
        send(request, id).then(({ status, took }) => {
          answers[who].push(status);
          if (who === "victims") times.push(took);
        }),
      );
    }
  };
  const [read, write] = victims[area];
  await Promise.all([
    arrive(attackRate, attack, "attack"),
    arrive(VICTIMS.reads, read, "victims"),
    arrive(VICTIMS.writes, write, "victims"),
    arrive(VICTIMS.elsewhere, victims[area === "todos" ? "users" : "todos"][0], "elsewhere"),
    clock.run(),
  ]);
  await clock.run();
  await Promise.all(pending);
  const share = (of: readonly number[], is: (status: number) => boolean) =>
    of.length === 0 ? 0 : of.filter(is).length / of.length;
  return {
    attackRate,
    admitted: share(answers.attack, (status) => status < 400),
    refused: share(answers.attack, (status) => status === 429),
    served: share(answers.victims, (status) => status < 429),
    servedElsewhere: share(answers.elsewhere, (status) => status < 429),
    countedFailures,
    median: times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0,
  };
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const introduction =
  "# Beside an attack\n\nPrinted by `npm run --silent bench:victims`; [costs](../costs.md#beside-an-attack) explains it.\n\n";
const headings = [
  "attack",
  "a second",
  "served",
  "429",
  "others served",
  "of another area",
  "median, ms",
  "idle, ms",
  "counted failures",
];

await runCommand({
  name: "npm run --silent bench:victims",
  description: `Simulates an attack on each expensive route, at the route's limit and with the largest records that a client can
create, and prints what everybody else gets who reads and writes single records of the same area and of another. This takes minutes.

Handlers, repositories and the SDK with its retries are the service's own. The database is a model that throttles tables and
partition keys. Time is simulated, so that the machine does not matter.`,
  options: {
    seed: { type: "integer", min: 1, max: 1_000_000, default: 1, description: "of the random arrivals" },
    only: { type: "string", description: "routes that begin so, for example GET /todos" },
    records: { type: "integer", min: 1_000, max: 1_000_000, default: 4_000, description: "of each kind" },
    "without-admission": { type: "boolean", description: "admit everything" },
  },
  async run({ seed, only, records, "without-admission": admitsAll }) {
    if (!admitsAll)
      Object.assign(process.env, {
        MAX_READ_UNITS: String(stage.maxReadUnits),
        MAX_WRITE_UNITS: String(stage.maxWriteUnits),
      });
    const rows: string[][] = [];
    const idleBy = new Map<Area, Awaited<ReturnType<typeof simulate>>>();
    let isPassed = true;
    for (const attack of attacks.filter(({ route }) => route.startsWith(only ?? ""))) {
      const idle = idleBy.get(attack.area) ?? (await simulate(attack.area, undefined, { seed, records }));
      idleBy.set(attack.area, idle);
      const result = await simulate(attack.area, attack, { seed, records });
      isPassed &&= result.countedFailures === 0;
      isPassed &&=
        Math.min(result.served, result.servedElsewhere) >= 0.99 && result.median <= 2 * idle.median;
      const name = attack.target ? `${attack.route.split(" ")[0]} ${attack.target}` : attack.route;
      rows.push([
        ...[name, String(result.attackRate), percent(result.admitted), percent(result.refused)],
        ...[percent(result.served), percent(result.servedElsewhere)],
        ...[result.median, idle.median, result.countedFailures].map(String),
      ]);
      process.stderr.write(`${rows.at(-1)?.join(" | ")}\n`);
    }
    process.stdout.write(introduction + markdownTable(headings, rows));
    return isPassed ? 0 : 1;
  },
});
