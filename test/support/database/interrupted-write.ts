import { isDeepStrictEqual } from "node:util";
import { repair } from "../../../functions/repair/repair.ts";
import { ApiError } from "../../../lib/domain/errors.ts";
import { testClient } from "./database.ts";
import type { FaultArea } from "./fault-area.ts";
import { type CallInput, deliver, type Fault, injectFaults } from "./faults.ts";

type Act = FaultArea<unknown>["state"];

/** Which attempts fail, by the number of their writing call and their own among the attempts at it, from 1. */
type FaultAt = (call: number, attempt: number) => Fault | undefined;

interface Interruption {
  /** Whether others act between the attempts instead of after the write. */
  readonly isConcurrent?: boolean;
  /** @param from the first call that fails */
  readonly faultAt: (from: number) => FaultAt;
}

const onlyFirst = (fault: Fault) => (from: number) => (call: number, attempt: number) =>
  call === from && attempt === 1 ? fault : undefined;

/** What can leave it open whether a write is made. */
export const interruptions: Readonly<Record<string, Interruption>> = {
  "an attempt is late": { faultAt: onlyFirst("late") },
  "an attempt is late, others come in between": { isConcurrent: true, faultAt: onlyFirst("late") },
  "a response is lost, others come in between": { isConcurrent: true, faultAt: onlyFirst("lost") },
  "all attempts at a call are late": { faultAt: (from) => (call) => (call === from ? "late" : undefined) },
  "all calls from one on are late": { faultAt: (from) => (call) => (call >= from ? "late" : undefined) },
  "its process ends after a call": {
    faultAt: (from) => (call, attempt) =>
      call === from && attempt === 1 ? "lost" : call >= from ? "refused" : undefined,
  },
};

interface Outcome {
  /** What the write has returned, or its error. */
  readonly returned: unknown;
  /** What can be read after a repair, and what that repaired besides ids without a record. */
  readonly state: unknown;
}

/** A write beside what others do with the same records. Ids are left out: they depend on the order. */
export class InterruptedWrite {
  readonly #endpoint: string;
  readonly #area: FaultArea<unknown>;
  readonly #write: Act;
  readonly #others: readonly Act[];
  readonly #outcomes = new Map<number, Promise<Outcome>>();

  constructor(endpoint: string, area: FaultArea<unknown>, write: Act, others: readonly Act[]) {
    this.#endpoint = endpoint;
    this.#area = area;
    this.#write = write;
    this.#others = others;
  }

  /** One after the other, without faults. @param before how many acts of others; Infinity for no write at all */
  #inOrder(before: number): Promise<Outcome> {
    const outcome = this.#outcomes.get(before) ?? this.#play(before);
    this.#outcomes.set(before, outcome);
    return outcome;
  }

  async #play(before: number): Promise<Outcome> {
    const opened = await this.#area.open(this.#endpoint);
    const open = () => opened.with(testClient(this.#endpoint));
    for (const act of this.#others.slice(0, before)) await act(open());
    const returned = before < Infinity ? await resultOf(this.#write(open())) : undefined;
    for (const act of this.#others.slice(before)) await act(open());
    return { returned, state: await this.#stateOf(opened) };
  }

  /** Others act after the write, the first concurrent one after its first fault. Late attempts arrive at the end. */
  async interrupted({ faultAt, isConcurrent = false }: Interruption, from: number): Promise<Outcome> {
    const opened = await this.#area.open(this.#endpoint);
    const others = this.#others.map((act) => () => act(opened.with(testClient(this.#endpoint))));
    const client = testClient(this.#endpoint);
    // All attempts at a call have the same input.
    const calls = new Map<CallInput, number>();
    let areOthersDue = false;
    const attempted = injectFaults(client, async (operation, _, input) => {
      if (areOthersDue) {
        areOthersDue = false;
        await others.shift()?.();
      }
      if (isWrite(operation)) calls.set(input, (calls.get(input) ?? 0) + 1);
      const fault = faultAt(from)(calls.size, calls.get(input) ?? 0);
      areOthersDue ||= isConcurrent && fault !== undefined;
      return fault;
    });
    const returned = await resultOf(this.#write(opened.with(client)));
    for (const act of others) await act();
    await deliver(attempted);
    return { returned, state: await this.#stateOf(opened) };
  }

  /** The outcomes that it may have had: any or none without an answer, none if others were the reason of a refusal. */
  async accepted(result: Outcome, isConcurrent = false): Promise<Outcome[]> {
    const { returned } = result;
    const isOpen = isUnanswered(returned);
    const orders = [0];
    if (isConcurrent) orders.push(1);
    if (isOpen) orders.push(this.#others.length);
    if (isOpen || (isConcurrent && isError(returned))) orders.push(Infinity);
    const accepted: Outcome[] = [];
    for (const before of orders) {
      const outcome = await this.#inOrder(before);
      accepted.push(isOpen || before === Infinity ? { ...outcome, returned } : outcome);
      if (isDeepStrictEqual(accepted.at(-1), result)) break;
    }
    return accepted;
  }

  async #stateOf({ tables, with: open }: Awaited<ReturnType<FaultArea<unknown>["open"]>>): Promise<unknown> {
    const client = testClient(this.#endpoint);
    const { tables: repaired } = await repair(client, Object.keys(tables), (name) => tables[name], {
      wait: async () => undefined,
      abandonedAfterMs: Number.NEGATIVE_INFINITY,
    });
    const wrong = repaired.map(({ mismarked, miscounted, entries, damaged }) => ({
      mismarked,
      miscounted,
      entries,
      damaged,
    }));
    return comparable([wrong, await this.#area.state(open(client))]);
  }
}

function resultOf(act: Promise<unknown>): Promise<unknown> {
  return act.then(comparable, (error: unknown) => {
    if (error instanceof ApiError) return { error: error.code };
    throw error;
  });
}

function isError(returned: unknown): returned is { readonly error: unknown } {
  return typeof returned === "object" && returned !== null && "error" in returned;
}

function isUnanswered(returned: unknown): boolean {
  return isError(returned) && returned.error === "ServiceUnavailable";
}

/** Without ids, and in an order that does not depend on them. Who was first with a key is left open. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(comparable).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !["id", "replayed"].includes(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, comparable(field)]));
}

export function isWrite(operation: string): boolean {
  return /^(Put|Update|Delete|TransactWrite)/.test(operation);
}
