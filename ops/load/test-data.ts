import * as z from "zod";
import { CommandError } from "../../cli/errors.ts";
import type { HttpClient, HttpRequest, HttpResponse } from "../http-client.ts";
import type { RecordKind, RecordPaths } from "./records.ts";

type Headers = Readonly<Record<string, string>>;

const json = { "content-type": "application/json" };
/** What can be deleted without credentials. */
const removable: readonly RecordKind[] = ["todos", "todosToDelete", "users", "posts", "items"];

/** Creates the first records of a load, and removes all records at its end. */
export class TestData {
  readonly #client: HttpClient;
  readonly #records: RecordPaths;
  readonly #name: string;
  #adminHeaders: Headers | undefined;

  /** @param name part of all created records */
  constructor(client: HttpClient, records: RecordPaths, name: string) {
    this.#client = client;
    this.#records = records;
    this.#name = name;
  }

  /**
   * Creates the first records. Only an administrator can create products; without the password, existing products
   * are read but never ordered, because an order reduces their stock permanently.
   *
   * @param adminPassword the password of the account `admin`
   * @returns whether products may be ordered
   * @throws {CommandError} on an unexpected response
   */
  async create(adminPassword: string | undefined): Promise<boolean> {
    const name = this.#name;
    if (adminPassword !== undefined) this.#adminHeaders = await this.#logIn(adminPassword);
    await this.#create("users", "/users", { name, email: `${name}@example.com`, age: 1 });
    await this.#create("todos", "/todos", { title: name });
    await this.#create("posts", "/posts", { title: name, content: "Created by npm run load" });
    await this.#create("items", "/items/", { name });
    if (this.#adminHeaders === undefined) {
      await this.#findProducts();
      return false;
    }
    const product = {
      name,
      description: "Created by npm run load",
      price: 1,
      stock: 1_000_000,
      category: "load",
    };
    for (let count = 0; count < 5; count += 1)
      await this.#create("products", "/products", product, this.#adminHeaders);
    return true;
  }

  /**
   * Removes all created records that can be removed.
   *
   * @param stop ends the removal early
   * @returns the number of removed records
   * @throws {CommandError} on an unexpected response
   */
  async remove(stop: AbortSignal): Promise<number> {
    const kinds = [...removable, ...(this.#adminHeaders ? (["products"] as const) : [])];
    const targets = kinds.flatMap((kind) => this.#records.all(kind)).values();
    let removed = 0;
    const removeNext = async () => {
      for (const target of targets) {
        if (stop.aborted) return;
        await this.#send(
          { method: "DELETE", target, ...(this.#adminHeaders && { headers: this.#adminHeaders }) },
          204,
        );
        removed += 1;
      }
    };
    await Promise.all(Array.from({ length: this.#client.connections }, removeNext));
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

  async #create(kind: RecordKind, target: string, value: unknown, headers: Headers = {}): Promise<void> {
    this.#records.add(kind, (await this.#post(target, value, 201, headers)).headers.location);
  }

  #post(target: string, value: unknown, status: number, headers: Headers = {}): Promise<HttpResponse> {
    const body = JSON.stringify(value);
    return this.#send({ method: "POST", target, headers: { ...json, ...headers }, body }, status);
  }

  async #send(request: HttpRequest, status: number): Promise<HttpResponse> {
    const response = await this.#client.send(request);
    if (response.status === status) return response;
    throw new CommandError(
      `${request.method} ${request.target} returned ${response.status}: ${response.text}`,
    );
  }
}
