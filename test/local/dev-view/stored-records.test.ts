import { expect, it } from "vitest";
import { recordsOf } from "../../../local/dev-view/stored-records.ts";

it("separates records, with their long texts, from what the service keeps besides", () => {
  const records = [
    { pk: "0", sk: 1, title: "First" },
    { pk: "accounts#12", sk: "ada" },
  ];
  const text = { pk: "content#1", sk: 1, content: "Text" };
  // Also where a name ends with a number.
  const names = ["ids", "deleted#3", "pending#2", "owner#123", "tag#2024", "key#5", "email#1"];
  const internal = names.map((pk) => ({ pk, sk: 1 }));

  expect(recordsOf("accounts", [...internal, text, ...records])).toEqual({
    records: [
      { id: "1", item: { ...records[0], content: "Text" } },
      { id: "ada", item: records[1] },
    ],
    internal,
  });
});
