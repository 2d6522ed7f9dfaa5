import { defineArea, list, recordActions } from "../define-area.ts";
import { routes } from "./routes.ts";

const lamp = {
  name: "Desk lamp",
  description: "A lamp with a clamp, for the edge of a desk",
  price: 34.5,
  stock: 12,
  category: "home",
};
const product = { id: 1, ...lamp };

export const area = defineArea(routes, {
  position: 2,
  tags: { products: "The product catalog; only administrators can change it" },
  firstSteps: [
    "**Choose a product** with `GET /products`. Administrators add products with `POST /products`.",
  ],
  firstCalls: ["GET /products"],
  tables: { products: { hasIds: true } },
  uses: { accounts: ["dynamodb:GetItem"], products: [...recordActions, "dynamodb:BatchGetItem"] },
  // A catalog is for everybody: only administrators create products, by a rule of their own.
  access: { read: "anyone" },
  secrets: ["SIGNING_SECRETS"],
  limits: { "GET /products": list, "DELETE /products/{product_id}": { write: 6 } },
  fields: {
    category: "Compared exactly by the filter of the catalog",
    description: "What it is, for customers",
    price: "Per piece, as a decimal number",
    stock: "The number of pieces that can be ordered",
  },
  examples: {
    CreateProductRequest: lamp,
    PatchProductRequest: { price: 29.9 },
    Product: product,
    ProductPage: { page: 1, size: 10, total: 1, items: [product] },
  },
  requests: {
    "GET /products": { query: { page: 1, size: 10 } },
    "POST /products": ({ unique }) => ({ body: { ...lamp, name: `${lamp.name}${unique}` } }),
    "PUT /products/{product_id}": { body: { ...lamp, stock: 20 } },
    "PATCH /products/{product_id}": { body: { price: 29.9 } },
  },
  trial: { record: { ...lamp, name: "Trial", description: "For trials of new versions", stock: 1_000_000 } },
});
