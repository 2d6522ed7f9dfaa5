import { defineArea, recordActions } from "../define-area.ts";
import { routes } from "./routes.ts";
import { settings } from "./settings.ts";

const object = { name: "lamp", colour: "red" };
const item = { id: 1, name: "lamp" };

export const area = defineArea(routes, {
  position: 7,
  tags: { items: "Arbitrary JSON objects, stored exactly as sent" },
  tables: { items: { hasIds: true } },
  uses: { items: recordActions },
  repairUses: { items: ["dynamodb:BatchGetItem"] },
  fallbackUses: {
    items: ["dynamodb:ConditionCheckItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
  },
  settings,
  // With 100 KB.
  limits: {
    "POST /items/": { write: 205 },
    "GET /items/{item_id}": { read: 26 },
    "DELETE /items/{item_id}": { write: 210 },
  },
  fields: {
    pages: "The number of pages",
    "Item.name": "The object's `name` if that is text, otherwise empty",
    "StoredObject.item_id": "The id of the object; replaces a field of that name",
  },
  examples: {
    Item: item,
    JsonObject: object,
    PaginatedItems: { items: [item], total: 1, page: 1, size: 10, pages: 1 },
    StoredObject: { item_id: 1, ...object },
    StructuredError: {
      error: "NotFound",
      message: "Item with id 7 not found",
      path: "https://api.example.com/items/7",
    },
  },
  requests: {
    "POST /items/": ({ unique }) => ({ body: { ...object, name: `lamp${unique}` } }),
    "GET /items": { query: { page: 1, size: 10 } },
  },
});
