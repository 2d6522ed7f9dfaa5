import type { DatabaseCall, Write } from "../support/database/faulty-engine.ts";

/** What a partition key takes in a tenth of a second, in which a busy service makes so many calls. */
const KEY_UNITS = 100;
const CALLS = 300;

interface Consumed {
  readonly TableName: string;
  readonly CapacityUnits: number;
  readonly Table?: { readonly CapacityUnits: number };
}

/** Throttles partition keys beyond their write units as DynamoDB does. */
export class WriteUnits {
  throttled = 0;
  #calls = 0;
  readonly #taken = new Map<string, number>();

  isThrottled({ body }: DatabaseCall): boolean {
    this.#calls += 1;
    if (this.#calls % CALLS === 0) this.#taken.clear();
    const isOver = writesOf(body).some((write) => (this.#taken.get(keyOf(write)) ?? 0) >= KEY_UNITS);
    if (isOver) this.throttled += 1;
    return isOver;
  }

  /** Lets the engine say what a write takes. */
  asking(body: DatabaseCall["body"]): DatabaseCall["body"] {
    return writesOf(body).length > 0 ? Object.assign(body, { ReturnConsumedCapacity: "INDEXES" }) : body;
  }

  count({ body }: DatabaseCall, response: { readonly ConsumedCapacity?: Consumed | Consumed[] }) {
    const writes = writesOf(body);
    for (const { TableName, CapacityUnits, Table } of [response.ConsumedCapacity ?? []].flat()) {
      const own = writes.filter((write) => write.TableName === TableName);
      const units = Table?.CapacityUnits ?? CapacityUnits;
      for (const write of own)
        this.#taken.set(keyOf(write), (this.#taken.get(keyOf(write)) ?? 0) + units / own.length);
    }
  }
}

function writesOf(body: DatabaseCall["body"]): Write[] {
  if (body.TransactItems) return body.TransactItems.flatMap((item) => Object.values(item));
  return body.UpdateExpression || body.Item ? [body] : [];
}

function keyOf({ TableName, Key, Item }: Write): string {
  return `${TableName} ${(Key ?? Item)?.pk?.S}`;
}
