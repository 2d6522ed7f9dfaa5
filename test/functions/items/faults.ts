import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { ItemsRepository } from "../../../lib/repositories/items.ts";
import { recordTable, testClient } from "../../support/database/database.ts";
import type { FaultArea } from "../../support/database/fault-area.ts";

export const faults: FaultArea<ItemsRepository> = {
  async open(endpoint) {
    const table = await recordTable(endpoint);
    const open = (client: DynamoDBDocumentClient) => new ItemsRepository(client, table);
    for (const name of ["a", "b"]) await open(testClient(endpoint)).create("{}", name, undefined);
    return open;
  },
  writes: {
    create: (store) => store.create("{}", "c", undefined),
    remove: async (store) => [await store.remove(1), await store.remove(1)],
  },
  reads: { get: (store) => store.get(1), page: (store) => store.page(0, 1) },
  state: (store) => store.page(0, 9),
};
