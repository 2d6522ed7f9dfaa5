import type { CreateProductRequest, Product } from "../../../lib/validators/product.ts";
import { api } from "../../support/api/target.ts";
import { asAdmin } from "../../support/data/accounts.ts";

/** A product without its id. */
export function aProduct(fields: Partial<CreateProductRequest> = {}): CreateProductRequest {
  const kettle = { name: "Kettle", description: "Gooseneck kettle", price: 54.9 };
  return { ...kettle, stock: 10, category: "kitchen", ...fields };
}

export async function withProduct(fields: Partial<CreateProductRequest> = {}): Promise<Product> {
  const { status, body } = await api.post("/products", aProduct(fields), await asAdmin());
  if (status !== 201) throw new Error(`POST /products returned ${status}`);
  return body;
}
