import type { CreateProductRequest, Product } from "../../../lib/validators/product.ts";
import { api } from "../api/target.ts";
import { adminToken, withToken } from "./accounts.ts";

let token: Promise<string> | undefined;

/** Request options of an administrator, who logs in once per test file. */
export async function asAdmin() {
  token ??= adminToken();
  return withToken(await token);
}

/** A product without its id. */
export function aProduct(fields: Partial<CreateProductRequest> = {}): CreateProductRequest {
  return {
    name: "Kettle",
    description: "Gooseneck kettle",
    price: 54.9,
    stock: 10,
    category: "kitchen",
    ...fields,
  };
}

/** Creates a product. */
export async function withProduct(fields: Partial<CreateProductRequest> = {}): Promise<Product> {
  const { status, body } = await api.post("/products", aProduct(fields), await asAdmin());
  if (status !== 201) throw new Error(`POST /products returned ${status}`);
  return body;
}
