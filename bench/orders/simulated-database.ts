import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import type { VirtualClock } from "./virtual-clock.ts";

const READ_MS = 4;
const WRITE_MS = 4;
/** Of writes of one item: 1,000 units a second are what a key takes. */
const WRITE_INTERVAL_MS = 1;
/** Until a cancelled transaction has its response. */
const CANCEL_MS = 5;

interface Write {
  readonly TableName: string;
  readonly Key?: Readonly<Record<string, unknown>>;
  readonly Item?: Readonly<Record<string, unknown>>;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
}

interface Input extends Write {
  readonly TransactItems?: readonly Readonly<Record<string, Write>>[];
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly object[] }>>;
}

/**
 * How DynamoDB treats writes of the same items at the same time. It stores nothing: every condition holds, and every
 * product has enough stock.
 */
export class SimulatedDatabase {
  /** How many transactions were attempted. */
  transactions = 0;
  readonly #clock: VirtualClock;
  readonly #hold: number;
  readonly #random: () => number;
  readonly #heldUntil = new Map<string, number>();
  readonly #writtenUntil = new Map<string, number>();
  #last = 0;

  /** @param hold how long a transaction holds its items, in milliseconds; a fifth more or less */
  constructor(clock: VirtualClock, hold: number, random: () => number) {
    this.#clock = clock;
    this.#hold = hold;
    this.#random = random;
  }

  /** The service's client, which waits on the simulated clock. */
  client(): DynamoDBDocumentClient {
    const client = documentClient({
      config: {
        region: "us-east-1",
        endpoint: "http://localhost",
        credentials: { accessKeyId: "simulated", secretAccessKey: "simulated" },
      },
      random: this.#random,
      sleep: (milliseconds) => this.#clock.wait(milliseconds),
    });
    client.middlewareStack.add(
      () => async (args) => {
        const input = args.input as Input;
        const output = await (input.TransactItems ? this.#transact(input.TransactItems) : this.#call(input));
        return { output: { $metadata: {}, ...output } as never, response: {} };
      },
      { name: "simulatedDatabase", step: "deserialize", priority: "high" },
    );
    return client;
  }

  async #transact(items: readonly Readonly<Record<string, Write>>[]): Promise<object> {
    this.transactions += 1;
    const keys = items.flatMap((item) => Object.values(item).map(keyOf));
    const conflicts = keys.map((key) => this.#isHeld(key));
    if (conflicts.includes(true)) {
      await this.#clock.wait(CANCEL_MS);
      const CancellationReasons = conflicts.map((it) => ({ Code: it ? "TransactionConflict" : "None" }));
      throw errorNamed("TransactionCanceledException", { CancellationReasons });
    }
    const hold = this.#hold * (0.8 + 0.4 * this.#random());
    for (const key of keys) this.#heldUntil.set(key, this.#clock.now + hold);
    await this.#clock.wait(hold);
    for (const key of keys) this.#heldUntil.delete(key);
    return {};
  }

  async #call({ RequestItems, ...write }: Input): Promise<object> {
    if (RequestItems) {
      await this.#clock.wait(READ_MS);
      const Responses = Object.entries(RequestItems).map(([table, { Keys }]) => [table, Keys.map(product)]);
      return { Responses: Object.fromEntries(Responses) };
    }
    const key = keyOf(write);
    if (this.#isHeld(key)) {
      await this.#clock.wait(CANCEL_MS);
      throw errorNamed("TransactionConflictException");
    }
    const at = Math.max(this.#clock.now, this.#writtenUntil.get(key) ?? 0) + WRITE_INTERVAL_MS;
    this.#writtenUntil.set(key, at);
    await this.#clock.wait(at - this.#clock.now + WRITE_MS);
    this.#last += 1;
    const entry = write.ExpressionAttributeNames?.["#entry"];
    return { Attributes: { last: this.#last, ...(entry && { [entry]: 1 }) } };
  }

  #isHeld(key: string): boolean {
    return (this.#heldUntil.get(key) ?? 0) > this.#clock.now;
  }
}

function keyOf({ TableName, Key, Item }: Write): string {
  const { pk, sk } = Key ?? Item ?? {};
  return JSON.stringify([TableName, pk, sk]);
}

function product(key: object): object {
  const fields = { name: { S: "" }, description: { S: "" }, category: { S: "" } };
  return { ...key, ...fields, price: { N: "1" }, stock: { N: "1000000" } };
}

function errorNamed(name: string, fields: object = {}): Error {
  return Object.assign(
    new Error(name),
    { name, $fault: "client", $metadata: { httpStatusCode: 400 } },
    fields,
  );
}
