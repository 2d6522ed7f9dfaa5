import { expect, it } from "vitest";
import { TopRecords } from "../../../lib/domain/top-records.ts";

const records = Array.from({ length: 5_000 }, (_, i) => ({ key: (i * 7_919) % 5_000 }));

it.each([0, 1, 10, 3_000])("finds the first %i of many records, and counts all", (size) => {
  const top = new TopRecords<{ key: number }>((a, b) => a.key - b.key, size);
  for (const record of records) top.add(record);
  expect(top.sorted()).toEqual(records.toSorted((a, b) => a.key - b.key).slice(0, size));
  expect(top.total).toBe(5_000);
});

it.each([
  [10, 20_000],
  [3_000, 100_000],
])("sorts for the first %i only what can be among them", (size, limit) => {
  let comparisons = 0;
  const compare = (a: { key: number }, b: { key: number }) => {
    comparisons += 1;
    return a.key - b.key;
  };
  const top = new TopRecords(compare, size);
  for (const record of records) top.add(record);
  top.sorted();

  expect(comparisons).toBeLessThan(limit);
});
