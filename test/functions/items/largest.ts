import { ItemsRepository } from "../../../lib/repositories/items.ts";
import { MAX_ITEM_BYTES } from "../../../lib/validators/item.ts";
import type { LargestRecord } from "../../support/database/largest-record.ts";

const [text, name] = ["x".repeat(MAX_ITEM_BYTES), "\u0001".repeat(1_000)];

export const largest: LargestRecord = {
  kilobytes: 6,
  create: (client, table, idempotency) => new ItemsRepository(client, table).create(text, name, idempotency),
};
