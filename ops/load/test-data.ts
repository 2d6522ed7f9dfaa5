import * as z from "zod";
import { PlainError } from "../../local/cli/command-line.ts";
import type { Client, ClientRequest, ClientResponse } from "../cli/http-client.ts";
import type { Kind, Records } from "./records.ts";

type Headers = Readonly<Record<string, string>>;

const json = { "content-type": "application/json" };
const limitMs = 30_000;
/** What can be deleted by anybody. */
const removable: readonly Kind[] = ["todos", "doomed", "users", "posts", "items"];

/** Puts in the records that a load begins with, and takes out what it has left. */
export class Stock {
  readonly #client: Client;
  readonly #records: Records;
  readonly #name: string;
  #admin: Headers | undefined;

  /** @param name stands in everything that is created */
  constructor(client: Client, records: Records, name: string) {
    this.#client = client;
    this.#records = records;
    this.#name = name;
  }

  /**
   * Creates the first records. Products can be created by the administrator alone; without, those that there are
   * are read but never ordered, since an order takes stock for good.
   *
   * @param adminPassword the password of the account `admin`
   * @returns whether there are products that may be ordered
   * @throws {PlainError} when the service does not do what it is asked
   */
  async fill(adminPassword: string | undefined): Promise<boolean> {
    const name = this.#name;
    if (adminPassword !== undefined) this.#admin = await this.#logIn(adminPassword);
    await this.#create("users", "/users", { name, email: `${name}@example.com`, age: 1 });
    await this.#create("todos", "/todos", { title: name });
    await this.#create("posts", "/posts", { title: name, content: "The first of a load" });
    await this.#create("items", "/items/", { name });
    if (this.#admin === undefined) {
      await this.#findProducts();
      return false;
    }
    const product = { name, description: "Of a load", price: 1, stock: 1_000_000, category: "load" };
    for (let count = 0; count < 5; count += 1)
      await this.#create("products", "/products", product, this.#admin);
    return true;
  }

  /**
   * Removes what was created and can be removed.
   *
   * @param stop ends it early
   * @returns how many records were removed
   * @throws {PlainError} when the service does not do what it is asked
   */
  async clear(stop: AbortSignal): Promise<number> {
    const kinds = [...removable, ...(this.#admin ? (["products"] as const) : [])];
    const targets = kinds.flatMap((kind) => this.#records.all(kind)).values();
    let removed = 0;
    const work = async () => {
      for (const target of targets) {
        if (stop.aborted) return;
        await this.#send({ method: "DELETE", target, ...(this.#admin && { headers: this.#admin }) }, 204);
        removed += 1;
      }
    };
    await Promise.all(Array.from({ length: this.#client.connections }, work));
    return removed;
  }

  async #findProducts(): Promise<void> {
    const { text } = await this.#send({ method: "GET", target: "/products?page=1&size=10" }, 200);
    const { items } = z.object({ items: z.array(z.object({ id: z.int() })) }).parse(JSON.parse(text));
    for (const { id } of items) this.#records.add("products", `/products/${id}`);
  }

  async #logIn(password: string): Promise<Headers> {
    const { text } = await this.#post("/auth/login", { username: "admin", password }, 200);
    const { access_token } = z.object({ access_token: z.string() }).parse(JSON.parse(text));
    return { authorization: `Bearer ${access_token}` };
  }

  async #create(kind: Kind, target: string, value: unknown, headers: Headers = {}): Promise<void> {
    this.#records.add(kind, (await this.#post(target, value, 201, headers)).headers.location);
  }

  #post(target: string, value: unknown, status: number, headers: Headers = {}): Promise<ClientResponse> {
    const body = JSON.stringify(value);
    return this.#send({ method: "POST", target, headers: { ...json, ...headers }, body }, status);
  }

  async #send(request: ClientRequest, status: number): Promise<ClientResponse> {
    const response = await this.#client.send(request, limitMs);
    if (response.status === status) return response;
    throw new PlainError(`${request.method} ${request.target} answered ${response.status}: ${response.text}`);
  }
}
