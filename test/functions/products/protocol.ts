import type { AreaProtocol } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";
import { asAdmin } from "../../support/data/accounts.ts";
import { UNKNOWN_ID, uniqueWord } from "../../support/data/values.ts";
import { withProduct } from "./data.ts";

const removeUnknown = async () => api.delete(`/products/${UNKNOWN_ID}`, await asAdmin());

export const protocol: AreaProtocol = {
  lists: {
    "products of a category": async () => {
      const category = uniqueWord();
      return { target: `/products?category=${category}`, create: () => withProduct({ category }) };
    },
  },
  resumable: ["/products?"],
  errors: [
    ["GET /products/{product_id}", 404, () => api.get(`/products/${UNKNOWN_ID}`)],
    ["GET /products/{product_id}", 422, () => api.get("/products/x")],
    ["DELETE /products/{product_id}", 404, removeUnknown],
  ],
};
