import { setTimeout as delay } from "node:timers/promises";
import type { ApiResponse } from "../support/api/conformance.ts";
import { credentials } from "../support/data/credentials.ts";
import { type Random, random } from "../support/random.ts";
import type { ServiceClient } from "./client.ts";
import {
  type Creation,
  type Fields,
  type History,
  type Operation,
  type Outcome,
  type RecordArea,
  type Registration,
  recordAreas,
  type StoredRecord,
} from "./history.ts";

export interface WorkloadOptions {
  readonly seed: number;
  readonly requests: number;
  readonly clients: number;
}

/** The service may do without items. */
const itemWeight = recordAreas.includes("items") ? 1 : 0;

/** How often the clients do what, as weights. */
const activities = {
  placeOrder: 22,
  changeOrderStatus: 8,
  readOrder: 6,
  createTodo: 5,
  changeTodo: 6,
  readTodo: 5,
  deleteTodo: 3,
  createUser: 4,
  changeUser: 5,
  readUser: 3,
  deleteUser: 2,
  createProduct: 2,
  changeProduct: 3,
  readProduct: 3,
  deleteProduct: 1,
  changePrice: 3,
  createPost: 5,
  changePost: 5,
  readPost: 6,
  deletePost: 3,
  createItem: 4 * itemWeight,
  readItem: 3 * itemWeight,
  deleteItem: 2 * itemWeight,
  register: 0.5,
};

/** What the products of the shop have in stock: two are scarce. */
const offers = [5, 60, 100_000, 100_000, 100_000, 100_000] as const;

/** How often a client repeats a request with an idempotency key that got no answer. */
const MAX_REPETITIONS = 4;
/** Clients mostly work on the latest records of all, so that they meet. */
const RECENT = 25;

const orderStatuses = ["pending", "paid", "shipped", "delivered", "cancelled"] as const;
const postStatuses = ["draft", "published", "archived"] as const;

/** Lets many clients use the service at the same time, and records what they did and learned. */
export class Workload {
  readonly #client: ServiceClient;
  readonly #options: WorkloadOptions;
  readonly #operations: Operation[] = [];
  readonly #registrations: Registration[] = [];
  readonly #recent = new Map<RecordArea, number[]>();
  readonly #shopProducts: number[] = [];
  #adminToken = "";
  #time = 0;
  #requests = 0;
  #names = 0;

  constructor(client: ServiceClient, options: WorkloadOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Creates the shop's products; the service must have no faults yet. */
  async prepare(): Promise<void> {
    await this.#login();
    for (const stock of offers) {
      const { record } = await this.#create("products", this.#productFields(stock), {});
      if (record === undefined) throw new Error("A product could not be created before the faults began");
      this.#shopProducts.push(record.id);
    }
    this.#recent.set("products", []);
  }

  /** A token is valid for half an hour; a long run on a busy machine needs several. */
  async #login(): Promise<void> {
    const response = await this.#client.trySend("POST", "/auth/login", credentials.admin, {});
    if (response?.status === 200) this.#adminToken = (response.body as { access_token: string }).access_token;
  }

  async run(): Promise<History> {
    const { seed, clients, requests } = this.#options;
    const runClient = async (number: number) => {
      const choices = random(seed, number + 1);
      while (this.#requests < requests) await this.#act(choices);
    };
    await Promise.all(Array.from({ length: clients }, (_, number) => runClient(number)));
    return {
      operations: this.#operations,
      registrations: this.#registrations,
      shopProducts: this.#shopProducts,
    };
  }

  get requests(): number {
    return this.#requests;
  }

  async #act(choices: Random): Promise<void> {
    const activity = choices.weighted(activities);
    switch (activity) {
      case "placeOrder":
        return this.#placeOrder(choices);
      case "changeOrderStatus": {
        const status = choices.pick(orderStatuses);
        return this.#change(
          "orders",
          choices,
          { status },
          "PATCH",
          (id) => `/orders/${id}/status?status=${status}`,
        );
      }
      case "createTodo":
        return this.#createOften("todos", choices, { title: this.#name(), completed: false });
      case "changeTodo": {
        const fields = choices.next() < 0.5 ? { title: this.#name() } : { completed: choices.next() < 0.5 };
        return this.#change("todos", choices, fields, "PUT");
      }
      case "createUser":
        return this.#createOften("users", choices, this.#userFields(choices));
      case "changeUser":
        return choices.next() < 0.5
          ? this.#change("users", choices, this.#userFields(choices), "PUT")
          : this.#change("users", choices, { age: choices.below(150) }, "PATCH");
      case "createProduct":
        return this.#createOften("products", choices, this.#productFields(choices.below(1_000)));
      case "changeProduct":
        return this.#change("products", choices, { stock: choices.below(999), name: this.#name() }, "PATCH");
      case "changePrice": {
        const id = choices.pick(this.#shopProducts as [number, ...number[]]);
        return this.#changeRecord("products", id, { price: price(choices) }, "PATCH", `/products/${id}`);
      }
      case "createPost":
        return this.#createPost(choices);
      case "changePost":
        return choices.next() < 0.5
          ? this.#change("posts", choices, this.#postFields(choices), "PUT")
          : this.#change("posts", choices, { status: choices.pick(postStatuses) }, "PATCH");
      case "createItem":
        return this.#createOften("items", choices, { name: this.#name(), size: choices.below(1_000) });
      case "readOrder":
      case "readTodo":
      case "readUser":
      case "readProduct":
      case "readPost":
      case "readItem":
        return this.#read(areaOf(activity), choices);
      case "deleteTodo":
      case "deleteUser":
      case "deleteProduct":
      case "deletePost":
      case "deleteItem":
        return this.#delete(areaOf(activity), choices);
      case "register":
        return this.#register(choices);
    }
  }

  async #placeOrder(choices: Random): Promise<void> {
    const products = [...this.#shopProducts].sort(() => choices.next() - 0.5).slice(0, 1 + choices.below(3));
    const items = products.map((product_id) => ({ product_id, quantity: 1 + choices.below(3) }));
    this.#names += 1;
    const fields = { user_id: this.#names, items, status: "pending" };
    await this.#createOften("orders", choices, fields, `/orders?user_id=${fields.user_id}`, items);
  }

  async #createPost(choices: Random): Promise<void> {
    const author_id = 1 + choices.below(5);
    const fields = { ...this.#postFields(choices), author_id };
    await this.#createOften("posts", choices, fields, `/posts?author_id=${author_id}`);
  }

  /**
   * Creates a record: with an idempotency key in half of all cases. Then the request is repeated until it gets an
   * answer, and sometimes sent twice at the same time.
   */
  async #createOften(area: RecordArea, choices: Random, fields: Fields, path?: string, body?: unknown) {
    if (choices.next() < 0.5) {
      await this.#create(area, fields, { path, body });
      return;
    }
    const key = `key-${choices.below(2 ** 32)}-${choices.below(2 ** 32)}`;
    const attempt = () => this.#create(area, fields, { path, body, key });
    const attempts = choices.next() < 0.15 ? [attempt(), attempt()] : [attempt()];
    let [last] = await Promise.all(attempts);
    for (let i = 0; i < MAX_REPETITIONS && last?.mayBeRepeated; i += 1) {
      // An earlier request may still be in progress.
      await delay(20 * 2 ** i);
      last = await attempt();
    }
  }

  async #create(
    area: RecordArea,
    fields: Fields,
    {
      path = area === "items" ? "/items/" : `/${area}`,
      body = fields,
      key,
    }: { path?: string | undefined; body?: unknown; key?: string },
  ): Promise<{ record?: StoredRecord; mayBeRepeated: boolean }> {
    const { response, ...timing } = await this.#send("POST", path, body, area, key);
    const outcome = outcomeOf(response);
    const created = outcome === "done" ? (response?.body as Fields) : undefined;
    // The id of an item is only in its address.
    const id = Number(created?.id ?? response?.headers.get("location")?.split("/").at(-1));
    const record = created && { ...created, id };
    const isReplay = response?.headers.has("idempotency-replayed") ?? false;
    const group = key ?? `request ${timing.start}`;
    const creation: Creation = { kind: "creation", area, group, fields, outcome, isReplay, ...timing };
    this.#operations.push(record ? { ...creation, record } : creation);
    if (record) this.#remember(area, id);
    return { mayBeRepeated: outcome === "unknown" || response?.status === 409, ...(record && { record }) };
  }

  async #change(
    area: RecordArea,
    choices: Random,
    fields: Fields,
    method: "PUT" | "PATCH",
    path = (id: number) => `/${area}/${id}`,
  ): Promise<void> {
    const id = this.#recentId(area, choices);
    if (id !== undefined) await this.#changeRecord(area, id, fields, method, path(id));
  }

  async #changeRecord(area: RecordArea, id: number, fields: Fields, method: "PUT" | "PATCH", path: string) {
    const { response, ...timing } = await this.#send(
      method,
      path,
      area === "orders" ? undefined : fields,
      area,
    );
    const outcome = outcomeOf(response);
    this.#operations.push({ kind: "change", area, id, fields, outcome, ...timing });
    // The response is a read as well; that of a post would count as a view.
    if (outcome === "done" && area !== "posts")
      this.#operations.push({
        kind: "read",
        area,
        id,
        outcome,
        record: response?.body as StoredRecord,
        ...timing,
      });
  }

  async #read(area: RecordArea, choices: Random): Promise<void> {
    const id = this.#recentId(area, choices);
    if (id === undefined) return;
    const { response, ...timing } = await this.#send("GET", `/${area}/${id}`, undefined, area);
    const outcome = outcomeOf(response);
    const record = outcome === "done" ? recordOf(area, response?.body as Fields) : undefined;
    this.#operations.push({ kind: "read", area, id, outcome, ...timing, ...(record && { record }) });
  }

  async #delete(area: RecordArea, choices: Random): Promise<void> {
    const id = this.#recentId(area, choices);
    if (id === undefined) return;
    const { response, ...timing } = await this.#send("DELETE", `/${area}/${id}`, undefined, area);
    this.#operations.push({ kind: "deletion", area, id, outcome: outcomeOf(response), ...timing });
  }

  /** Registers one account or several; sometimes with a name that somebody else registers, too. */
  async #register(choices: Random): Promise<void> {
    const isBatch = choices.next() < 0.3;
    const usernames = Array.from({ length: isBatch ? 3 : 1 }, () =>
      choices.next() < 0.3 ? `shared_${choices.below(20)}` : this.#name(),
    );
    if (new Set(usernames).size < usernames.length) return;
    const users = usernames.map((username) => ({
      username,
      email: `${username}@example.com`,
      password: accountPassword,
    }));
    const key = `key-${choices.below(2 ** 32)}-${choices.below(2 ** 32)}`;
    const [path, body] = isBatch ? ["/users/batch", users] : ["/users/", users[0]];
    let outcome: Outcome = "unknown";
    for (let i = 0; i <= MAX_REPETITIONS && outcome === "unknown"; i += 1)
      outcome = outcomeOf((await this.#send("POST", path, body, undefined, key)).response);
    this.#registrations.push({ usernames, outcome });
  }

  async #send(method: string, path: string, body: unknown, area?: RecordArea, key?: string) {
    this.#requests += 1;
    this.#time += 1;
    const start = this.#time;
    const send = () =>
      this.#client.trySend(method, path, body, {
        ...(key !== undefined && { "idempotency-key": key }),
        ...(area === "products" && { authorization: `Bearer ${this.#adminToken}` }),
      });
    let response = await send();
    while (response?.status === 401) {
      await this.#login();
      response = await send();
    }
    this.#time += 1;
    return { response, start, end: this.#time };
  }

  #userFields(choices: Random) {
    const name = this.#name();
    return { name, email: `${name}@example.com`, age: choices.below(150) };
  }

  #productFields(stock: number) {
    return { name: this.#name(), description: "", price: 10, stock, category: "kitchen" };
  }

  #postFields(choices: Random) {
    const name = this.#name();
    return { title: name, content: `About ${name}`, status: choices.pick(postStatuses), tags: [name] };
  }

  #name(): string {
    this.#names += 1;
    return `name_${this.#names}`;
  }

  #remember(area: RecordArea, id: number): void {
    const recent = this.#recent.get(area) ?? [];
    this.#recent.set(area, [...recent, id].slice(-RECENT));
  }

  #recentId(area: RecordArea, choices: Random): number | undefined {
    const recent = this.#recent.get(area) ?? [];
    return recent[choices.below(recent.length)];
  }
}

export const accountPassword = "Passw0rd of all";

export function recordOf(area: RecordArea, body: Fields): StoredRecord {
  if (area !== "items") return body as StoredRecord;
  const { item_id, ...fields } = body;
  return { ...fields, id: Number(item_id) };
}

function outcomeOf(response: ApiResponse | undefined): Outcome {
  // A 429 says nothing of the record: others are using up the table's units.
  if (response === undefined || response.status >= 500 || response.status === 429) return "unknown";
  return response.status < 300 ? "done" : "refused";
}

function price(choices: Random): number {
  return (1 + choices.below(10_000)) / 100;
}

/** `readTodo` → `todos` */
function areaOf(activity: string): RecordArea {
  return `${activity.replace(/^[a-z]+/, "").toLowerCase()}s` as RecordArea;
}
