import type { ApiResponse } from "../support/api/conformance.ts";
import { credentials } from "../support/data/credentials.ts";
import type { ServiceClient } from "./client.ts";
import type { Change, Creation, Fields, Operation, Outcome, RecordArea, StoredRecord } from "./history.ts";

interface CreationOptions {
  readonly path?: string | undefined;
  readonly body?: unknown;
  readonly key?: string;
}

export class Recorder {
  readonly operations: Operation[] = [];
  readonly inProgress = new Set<Promise<unknown>>();
  requests = 0;
  readonly #client: ServiceClient;
  #adminToken = "";
  #time = 0;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  /** A token is valid for half an hour; a long run on a busy machine needs several. */
  async login(): Promise<void> {
    const response = await this.#client.trySend("POST", "/auth/login", credentials.admin, {});
    if (response?.status === 200) this.#adminToken = response.body.access_token;
  }

  async create(area: RecordArea, fields: Fields, options: CreationOptions = {}): Promise<Creation> {
    const { path = area === "items" ? "/items/" : `/${area}`, body = fields, key } = options;
    const headers = key === undefined ? {} : { "idempotency-key": key };
    const { response, ...timing } = await this.send("POST", path, body, area, headers);
    const outcome = outcomeOf(response);
    const created: Fields | undefined = outcome === "done" ? response?.body : undefined;
    // The id of an item is only in its address.
    const id = Number(created?.id ?? response?.headers.get("location")?.split("/").at(-1));
    const record = created && { ...created, id };
    const isReplay = response?.headers.has("idempotency-replayed") ?? false;
    const group = key ?? `request ${timing.start}`;
    const learned = { outcome, isReplay, ...(record && { record }) };
    const creation: Creation = { kind: "creation", area, group, fields, ...learned, ...timing };
    this.operations.push(creation);
    return creation;
  }

  async change(
    area: RecordArea,
    id: number,
    fields: Fields,
    method: "PUT" | "PATCH",
    path: string,
    basedOn: (NonNullable<Change["basedOn"]> & { readonly etag: string }) | false = false,
  ) {
    const headers = basedOn ? { "if-match": basedOn.etag } : {};
    const body = area === "orders" ? undefined : fields;
    const { response, ...timing } = await this.send(method, path, body, area, headers);
    const outcome = outcomeOf(response);
    const change: Change = { kind: "change", area, id, fields, outcome, ...timing };
    this.operations.push(basedOn ? { ...change, basedOn } : change);
    // The response is a read as well; that of a post would count as a view.
    if (outcome === "done" && area !== "posts")
      this.operations.push({ kind: "read", area, id, outcome, record: response?.body, ...timing });
  }

  async read(area: RecordArea, id: number) {
    const { response, ...timing } = await this.send("GET", `/${area}/${id}`, undefined, area);
    const outcome = outcomeOf(response);
    const record = outcome === "done" ? recordOf(area, response?.body) : undefined;
    this.operations.push({ kind: "read", area, id, outcome, ...timing, ...(record && { record }) });
    return { response, ...timing };
  }

  async delete(area: RecordArea, id: number): Promise<void> {
    const { response, ...timing } = await this.send("DELETE", `/${area}/${id}`, undefined, area);
    this.operations.push({ kind: "deletion", area, id, outcome: outcomeOf(response), ...timing });
  }

  async send(method: string, path: string, body: unknown, area?: RecordArea, headers = {}) {
    this.requests += 1;
    const { result: response, ...timing } = await this.timed(async () => {
      for (;;) {
        const own = area === "products" && { authorization: `Bearer ${this.#adminToken}` };
        const response = await this.#client.trySend(method, path, body, { ...headers, ...own });
        if (response?.status !== 401) return response;
        await this.login();
      }
    });
    return { response, ...timing };
  }

  async timed<T>(work: () => Promise<T>) {
    const start = ++this.#time;
    const working = work();
    this.inProgress.add(working);
    const result = await working;
    this.inProgress.delete(working);
    return { result, start, end: ++this.#time };
  }
}

export function recordOf(area: RecordArea, body: Fields): StoredRecord {
  if (area !== "items") return body as StoredRecord;
  const { item_id, ...fields } = body;
  return { ...fields, id: Number(item_id) };
}

export function outcomeOf(response: ApiResponse | undefined): Outcome {
  // A 429 says nothing of the record: others are using up the table's units.
  if (response === undefined || response.status >= 500 || response.status === 429) return "unknown";
  return response.status < 300 ? "done" : "refused";
}
