import { tables } from "../../functions/definitions.ts";
import { type Random, random } from "../support/random.ts";
import type { ServiceClient } from "./client.ts";
import type { Erasure, Fields, History, Outcome, RecordArea, Registration, StoredRecord } from "./history.ts";
import { recordAreas } from "./history.ts";
import type { Operator } from "./operator.ts";
import { outcomeOf, Recorder } from "./recorder.ts";

export interface WorkloadOptions {
  readonly seed: number;
  readonly requests: number;
  readonly clients: number;
}

/** The service may do without items. */
const itemWeight = recordAreas.includes("items") ? 1 : 0;

type Activity = readonly [weight: number, act: (choices: Random) => Promise<unknown>];

const reads = { orders: 6, todos: 5, users: 3, products: 3, posts: 6, items: 3 };
const deletions = { todos: 3, users: 2, products: 1, posts: 3, items: 2 };

function ofEachArea(
  weights: Partial<Record<RecordArea, number>>,
  act: (area: RecordArea, choices: Random) => Promise<unknown>,
): Activity[] {
  return recordAreas.map((area) => [weights[area] ?? 0, (choices) => act(area, choices)]);
}

/** What the products of the shop have in stock: two are scarce. */
const offers = [5, 60, 100_000, 100_000, 100_000, 100_000] as const;

/** How often a client repeats a request with an idempotency key that got no answer. */
const MAX_REPETITIONS = 4;
/** Clients mostly work on the latest records of all, so that they meet. */
const RECENT = 25;

const orderStatuses = ["pending", "paid", "shipped", "delivered", "cancelled"] as const;
const postStatuses = ["draft", "published", "archived"] as const;

export class Workload {
  readonly #recorder: Recorder;
  readonly #options: WorkloadOptions;
  readonly #operator: Operator;
  readonly #registrations: Registration[] = [];
  readonly #erasures: Erasure[] = [];
  readonly #recent = new Map<RecordArea, number[]>();
  readonly #shopProducts: number[] = [];
  #names = 0;

  readonly #activities: readonly Activity[] = [
    [22, (choices) => this.#placeOrder(choices)],
    [8, (choices) => this.#changeStatus(choices)],
    [5, (choices) => this.#create("todos", choices, { title: this.#name(), completed: false })],
    [3, (choices) => this.#change("todos", choices, { title: this.#name() }, "PUT")],
    [3, (choices) => this.#change("todos", choices, { completed: choices.next() < 0.5 }, "PUT")],
    [4, (choices) => this.#create("users", choices, this.#userFields(choices))],
    [2.5, (choices) => this.#change("users", choices, this.#userFields(choices), "PUT")],
    [2.5, (choices) => this.#change("users", choices, { age: choices.below(150) }, "PATCH")],
    [2, (choices) => this.#create("products", choices, this.#productFields(choices.below(1_000)))],
    [
      3,
      (choices) =>
        this.#change("products", choices, { stock: choices.below(999), name: this.#name() }, "PATCH"),
    ],
    [3, (choices) => this.#changePrice(choices)],
    [4, (choices) => this.#setStock(choices)],
    [5, (choices) => this.#createPost(choices)],
    [2.5, (choices) => this.#change("posts", choices, this.#postFields(choices), "PUT")],
    [2.5, (choices) => this.#change("posts", choices, { status: choices.pick(postStatuses) }, "PATCH")],
    [
      4 * itemWeight,
      (choices) => this.#create("items", choices, { name: this.#name(), size: choices.below(1_000) }),
    ],
    ...ofEachArea(reads, (area, choices) =>
      this.#onRecent(area, choices, (id) => this.#recorder.read(area, id)),
    ),
    ...ofEachArea(deletions, (area, choices) =>
      this.#onRecent(area, choices, (id) => this.#recorder.delete(area, id)),
    ),
    [0.5, (choices) => this.#register(choices)],
    [3, (choices) => this.#give(choices)],
    [0.2, (choices) => this.#erase(choices)],
    [0.1, () => this.#operator.repair(() => Promise.all(this.#recorder.inProgress))],
  ];
  readonly #weights = Object.fromEntries(this.#activities.map(([weight], i) => [i, weight]));

  constructor(client: ServiceClient, operator: Operator, options: WorkloadOptions) {
    this.#recorder = new Recorder(client);
    this.#operator = operator;
    this.#options = options;
  }

  /** Creates the shop's products; the service must have no faults yet. */
  async prepare(): Promise<void> {
    await this.#recorder.login();
    for (const stock of offers) {
      const { record } = await this.#recorder.create("products", this.#productFields(stock));
      if (record === undefined) throw new Error("A product could not be created before the faults began");
      this.#shopProducts.push(record.id);
    }
  }

  async run(): Promise<Omit<History, "lostIds">> {
    const { seed, clients, requests } = this.#options;
    const runClient = async (number: number) => {
      const choices = random(seed, number + 1);
      while (this.#recorder.requests < requests) await this.#act(choices);
    };
    await Promise.all(Array.from({ length: clients }, (_, number) => runClient(number)));
    const [registrations, erasures] = [this.#registrations, this.#erasures];
    const { operations } = this.#recorder;
    return { operations, registrations, erasures, shopProducts: this.#shopProducts };
  }

  get requests(): number {
    return this.#recorder.requests;
  }

  async #act(choices: Random): Promise<void> {
    await this.#activities[Number(choices.weighted(this.#weights))]?.[1](choices);
  }

  async #changeStatus(choices: Random): Promise<void> {
    const status = choices.pick(orderStatuses);
    const path = (id: number) => `/orders/${id}/status?status=${status}`;
    await this.#change("orders", choices, { status }, "PATCH", path);
  }

  async #changePrice(choices: Random): Promise<void> {
    const id = this.#productOnSale(choices);
    const price = (1 + choices.below(10_000)) / 100;
    await this.#recorder.change("products", id, { price }, "PATCH", `/products/${id}`);
  }

  async #placeOrder(choices: Random): Promise<void> {
    const products = [...this.#shopProducts].sort(() => choices.next() - 0.5).slice(0, 1 + choices.below(3));
    const items = products.map((product_id) => ({ product_id, quantity: 1 + choices.below(3) }));
    this.#names += 1;
    const fields = { user_id: this.#names, items, status: "pending" };
    await this.#create("orders", choices, fields, `/orders?user_id=${fields.user_id}`, items);
  }

  #productOnSale(choices: Random): number {
    return choices.pick(this.#shopProducts as [number, ...number[]]);
  }

  /** By somebody who has seen the stock before, and sometimes does not overwrite what has changed since. */
  async #setStock(choices: Random): Promise<void> {
    const id = this.#productOnSale(choices);
    const path = `/products/${id}`;
    const { response, start, end } = await this.#recorder.read("products", id);
    if (response?.status !== 200) return;
    const { id: _, ...fields } = response.body as StoredRecord;
    const stock = choices.next() < 0.5 ? choices.below(60) : 100_000 - choices.below(1_000);
    // Meanwhile others order it as well.
    if (choices.next() < 0.5) await this.#placeOrder(choices);
    const etag = response.headers.get("etag") ?? "";
    const basedOn = choices.next() < 0.5 && { start, end, stock: Number(fields.stock), etag };
    if (choices.next() < 0.3)
      await this.#recorder.change("products", id, { ...fields, stock }, "PUT", path, basedOn);
    else await this.#recorder.change("products", id, { stock }, "PATCH", path, basedOn);
  }

  /** Some authors are user records with the e-mail of an account. */
  async #createPost(choices: Random): Promise<void> {
    const author_id = (choices.next() < 0.2 && this.#recentId("users", choices)) || 1 + choices.below(5);
    const fields = { ...this.#postFields(choices), author_id };
    await this.#create("posts", choices, fields, `/posts?author_id=${author_id}`);
  }

  /** Half of the creations have an idempotency key, are repeated until a response, and sometimes sent twice at once. */
  async #create(area: RecordArea, choices: Random, fields: Fields, path?: string, body?: unknown) {
    const send = async (key?: string) => {
      const creation = await this.#recorder.create(area, fields, { path, body, ...(key && { key }) });
      if (creation.record) this.#remember(area, creation.record.id);
      return creation;
    };
    if (choices.next() < 0.5) return void (await send());
    const key = keyOf(choices);
    let [last] = await Promise.all(choices.next() < 0.15 ? [send(key), send(key)] : [send(key)]);
    for (let i = 0; i < MAX_REPETITIONS && last?.outcome === "unknown"; i += 1) last = await send(key);
  }

  async #change(
    area: RecordArea,
    choices: Random,
    fields: Fields,
    method: "PUT" | "PATCH",
    path = (id: number) => `/${area}/${id}`,
  ): Promise<void> {
    await this.#onRecent(area, choices, (id) => this.#recorder.change(area, id, fields, method, path(id)));
  }

  async #onRecent(area: RecordArea, choices: Random, act: (id: number) => Promise<unknown>): Promise<void> {
    const id = this.#recentId(area, choices);
    if (id !== undefined) await act(id);
  }

  /** Registers one account or several; sometimes with a name that somebody else registers, too. */
  async #register(choices: Random): Promise<void> {
    const isBatch = choices.next() < 0.3;
    const usernames = Array.from({ length: isBatch ? 3 : 1 }, () =>
      choices.next() < 0.3 ? `shared_${choices.below(20)}` : this.#name(),
    );
    if (new Set(usernames).size < usernames.length) return;
    const password = accountPassword;
    const users = usernames.map((username) => ({ username, email: emailOf(username), password }));
    const key = keyOf(choices);
    const [path, body] = isBatch ? ["/users/batch", users] : ["/users/", users[0]];
    let outcome: Outcome = "unknown";
    for (let i = 0; i <= MAX_REPETITIONS && outcome === "unknown"; i += 1) {
      const sent = await this.#recorder.send("POST", path, body, undefined, { "idempotency-key": key });
      outcome = outcomeOf(sent.response);
    }
    this.#registrations.push({ usernames, outcome });
  }

  /** Of the accounts that are not being erased. */
  #username(choices: Random): string | undefined {
    const done = this.#registrations.filter(({ outcome }) => outcome === "done");
    const all = done.flatMap(({ usernames }) => usernames);
    const username = all[choices.below(all.length)];
    return this.#erasures.some((erasure) => erasure.username === username) ? undefined : username;
  }

  async #give(choices: Random): Promise<void> {
    const area = choices.pick(recordAreas as unknown as [RecordArea, ...RecordArea[]]);
    const [id, owner] = [this.#recentId(area, choices), this.#username(choices)];
    if (id === undefined || owner === undefined) return;
    const giving = () => this.#operator.give(area, id, owner);
    const { result: outcome, ...timing } = await this.#recorder.timed(giving);
    this.#recorder.operations.push({ kind: "change", area, id, fields: { owner }, outcome, ...timing });
  }

  /** Until it succeeds, as operators do. */
  async #erase(choices: Random): Promise<void> {
    const username = this.#username(choices);
    if (username === undefined) return;
    const email = emailOf(username);
    const found = new Map<string, ReadonlySet<number>>();
    // Gets no more records from now on.
    const begun = this.#erasures.push({ username, email, users: [], outcome: "unknown", start: 0, end: 0 });
    const { result: outcome, ...timing } = await this.#recorder.timed(async () => {
      for (let i = 0; i < MAX_REPETITIONS; i += 1)
        if ((await this.#operator.erase(username, email, found)) === "done") return "done";
      return "unknown";
    });
    const users = [...(found.get("users") ?? [])];
    this.#erasures[begun - 1] = { username, email, users, outcome, ...timing };
    for (const area of recordAreas)
      for (const id of found.get(area) ?? [])
        this.#recorder.operations.push(
          tables[area]?.personal?.kept
            ? { kind: "change", area, id, fields: { owner: undefined }, outcome, ...timing }
            : { kind: "deletion", area, id, isErasure: true, outcome, ...timing },
        );
  }

  #userFields(choices: Random) {
    const name = this.#name();
    const username = (choices.next() < 0.1 && this.#username(choices)) || name;
    return { name, email: emailOf(username), age: choices.below(150) };
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

function emailOf(username: string): string {
  return `${username}@example.com`;
}

function keyOf(choices: Random): string {
  return `key-${choices.below(2 ** 32)}-${choices.below(2 ** 32)}`;
}
