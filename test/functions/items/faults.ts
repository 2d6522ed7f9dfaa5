import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { ItemsRepository } from "../../../lib/repositories/items.ts";
import { idempotencyContext } from "../../support/data/idempotency.ts";
import { recordTable, testClient } from "../../support/database/database.ts";
import type { FaultArea } from "../../support/database/fault-area.ts";

const key = idempotencyContext("key");

export const faults: FaultArea<ItemsRepository> = {
  async open(endpoint) {
    const table = await recordTable(endpoint);
    const open = (client: DynamoDBDocumentClient) => new ItemsRepository(client, table);
    for (const name of ["a", "b"]) await open(testClient(endpoint)).create("{}", name, undefined);
    return { tables: { items: table }, with: open };
  },
  writes: {
    create: (store) => store.create("{}", "c", undefined),
    "create with a key": (store) => store.create("{}", "d", key),
    remove: (store) => store.remove(1),
  },
  reads: { get: (store) => store.get(1), page: (store) => store.page(0, 1) },
  others: {
    "create and remove an item": [(store) => store.create("{}", "d", key), (store) => store.remove(1)],
    "remove what was created": [
      async (store) => {
        for (const { id, name } of (await store.page(0, 9)).records) if (name > "b") await store.remove(id);
      },
    ],
  },
  state: (store) => store.page(0, 9),
};
