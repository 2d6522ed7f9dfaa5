import { expect, it } from "vitest";
import { TopRecords } from "../../../lib/domain/top-records.ts";

const records = Array.from({ length: 5_000 }, (_, i) => ({ key: (i * 7_919) % 5_000 }));

it.each([
  [0, 100_000],
  [1, 20_000],
  [10, 20_000],
  [3_000, 100_000],
])("finds the first %i of many records, sorts only what can be among them, counts all", (size, limit) => {
  let comparisons = 0;
  const compare = (a: { key: number }, b: { key: number }) => {
    comparisons += 1;
    return a.key - b.key;
  };
  const top = new TopRecords(compare, size);
  for (const record of records) top.add(record);
  const sorted = top.sorted();
  expect([top.total, comparisons < limit]).toEqual([5_000, true]);
  expect(sorted).toEqual(records.toSorted(compare).slice(0, size));
});
