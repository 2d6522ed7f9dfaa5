import { routes } from "../../../functions/items/routes.ts";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { textKey } from "../../../lib/repositories/items.ts";
import { measureArea } from "../../support/measure-area.ts";

const LARGEST = "POST /items/, 100 KB";

export const measurements = measureArea(routes, {
  records: {
    items: (id) => [
      { ...recordKey(id), name: `"Item ${id}"` },
      { ...textKey(id), text: JSON.stringify({ name: `Item ${id}`, notes: "x".repeat(900) }) },
    ],
  },
  requests: {
    "GET /items, first page of 10": { query: { page: 1 } },
    "GET /items, last page of 10": ({ count }) => ({ query: { page: count / 10 } }),
    [LARGEST]: { body: { name: "n", notes: "x".repeat(100 * 1_024 - 24) } },
    "GET /items/{item_id}, 100 KB": ({ id }) => ({ path: { item_id: id(LARGEST) } }),
    "DELETE /items/{item_id}, 100 KB": ({ id }) => ({ path: { item_id: id(LARGEST) } }),
  },
  limits: { "GET /items/{item_id}": [1, 1, 1] },
  growth: ["GET /items"],
  growthShare: 0.2,
});
