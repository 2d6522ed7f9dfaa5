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
  /** Whether others act between the attempts, too. */
  readonly isConcurrent: boolean;
  /** @param from the first call that fails */
  readonly faultAt: (from: number) => FaultAt;
}

const onlyFirst = (fault: Fault) => (from: number) => (call: number, attempt: number) =>
  call === from && attempt === 1 ? fault : undefined;

/** What can leave it open whether a write is made. */
export const interruptions: Readonly<Record<string, Interruption>> = {
  "an attempt is late": { isConcurrent: false, faultAt: onlyFirst("late") },
  "an attempt is late, others come in between": { isConcurrent: true, faultAt: onlyFirst("late") },
  "a response is lost, others come in between": { isConcurrent: true, faultAt: onlyFirst("lost") },
  "all attempts at a call are late": {
    isConcurrent: false,
    faultAt: (from) => (call) => (call === from ? "late" : undefined),
  },
  "all calls from one on are late": {
    isConcurrent: false,
    faultAt: (from) => (call) => (call >= from ? "late" : undefined),
  },
  "its process ends after a call": {
    isConcurrent: false,
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
  readonly #others: Act;
  readonly #outcomes = new Map<string, Promise<Outcome>>();

  constructor(endpoint: string, area: FaultArea<unknown>, write: Act, others: Act) {
    this.#endpoint = endpoint;
    this.#area = area;
    this.#write = write;
    this.#others = others;
  }

  /** One after the other, without faults. @param sequence `w` for the write, `o` for the others */
  #serial(sequence: string): Promise<Outcome> {
    const outcome = this.#outcomes.get(sequence) ?? this.#play(sequence);
    this.#outcomes.set(sequence, outcome);
    return outcome;
  }

  async #play(sequence: string): Promise<Outcome> {
    const opened = await this.#area.open(this.#endpoint);
    let returned: unknown;
    for (const each of sequence) {
      const repositories = opened.with(testClient(this.#endpoint));
      if (each === "w") returned = await resultOf(this.#write(repositories));
      else await this.#others(repositories);
    }
    return { returned, state: await this.#stateOf(opened) };
  }

  /** The others act after the write, and after its first fault if they are concurrent. Then late attempts arrive. */
  async interrupted({ faultAt, isConcurrent }: Interruption, from: number): Promise<Outcome> {
    const opened = await this.#area.open(this.#endpoint);
    const others = () => this.#others(opened.with(testClient(this.#endpoint)));
    const client = testClient(this.#endpoint);
    // All attempts at a call have the same input.
    const calls = new Map<CallInput, number>();
    let areOthersDue = false;
    let hasFailed = false;
    const attempted = injectFaults(client, async (operation, _, input) => {
      if (areOthersDue) await others();
      areOthersDue = false;
      if (isWrite(operation)) calls.set(input, (calls.get(input) ?? 0) + 1);
      const fault = faultAt(from)(calls.size, calls.get(input) ?? 0);
      areOthersDue = isConcurrent && !hasFailed && fault !== undefined;
      hasFailed ||= fault !== undefined;
      return fault;
    });
    const returned = await resultOf(this.#write(opened.with(client)));
    await others();
    await deliver(attempted);
    return { returned, state: await this.#stateOf(opened) };
  }

  /**
   * The outcomes that it may have had, up to the one that it had. Without an answer, it is made at any time or never.
   * One that was refused because of the others was not made.
   */
  async accepted(result: Outcome, isConcurrent: boolean): Promise<Outcome[]> {
    const { returned } = result;
    const [made, never, later] = isConcurrent ? [["woo", "owo"], "oo", "oow"] : [["wo"], "o", "ow"];
    const isOpen = isUnanswered(returned);
    const notMade = isOpen ? [never, later] : isError(returned) && isConcurrent ? [never] : [];
    const accepted: Outcome[] = [];
    for (const sequence of [...made, ...notMade]) {
      const outcome = await this.#serial(sequence);
      accepted.push(isOpen || sequence === never ? { ...outcome, returned } : outcome);
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

/** Without ids, and in an order that does not depend on them. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(comparable).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => name !== "id");
  return Object.fromEntries(fields.map(([name, field]) => [name, comparable(field)]));
}

export function isWrite(operation: string): boolean {
  return /^(Put|Update|Delete|TransactWrite)/.test(operation);
}
