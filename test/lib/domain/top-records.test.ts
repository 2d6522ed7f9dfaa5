import { expect, it } from "vitest";
import { TopRecords } from "../../../lib/domain/top-records.ts";

it.each([0, 1, 10, 3_000])("finds the first %i of many records, and counts all", (size) => {
  const records = Array.from({ length: 5_000 }, (_, i) => (i * 7_919) % 5_000);
  const top = new TopRecords<number>((a, b) => a - b, size);
  for (const record of records) top.add(record);

  expect(top.sorted()).toEqual(records.toSorted((a, b) => a - b).slice(0, size));
  expect(top.total).toBe(5_000);
});
