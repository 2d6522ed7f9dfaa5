import { compareText } from "./text.ts";

/** Finds the first records of a sorted list and counts all, without holding more than it needs. */
export class TopRecords<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #size: number;
  #records: T[] = [];
  #last: T | undefined;
  #total = 0;

  constructor(compare: (a: T, b: T) => number, size: number) {
    this.#compare = compare;
    this.#size = size;
  }

  get total(): number {
    return this.#total;
  }

  add(record: T): void {
    this.#total += 1;
    if (this.#last !== undefined && this.#compare(record, this.#last) >= 0) return;
    this.#records.push(record);
    if (this.#records.length >= 2 * this.#size + 1_000) this.#shorten();
  }

  sorted(): readonly T[] {
    this.#shorten();
    return this.#records;
  }

  #shorten(): void {
    this.#records = this.#records.sort(this.#compare).slice(0, this.#size);
    this.#last = this.#records[this.#size - 1];
  }
}

/** Ties are broken by id in the same direction. */
export function byField<K extends string>(field: K, isDescending: boolean) {
  type Sortable = { readonly id: number } & Readonly<Record<K, string | number>>;
  const sign = isDescending ? -1 : 1;
  return (a: Sortable, b: Sortable): number => sign * (compare(a[field], b[field]) || a.id - b.id);
}

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" ? a - Number(b) : compareText(a, String(b));
}
