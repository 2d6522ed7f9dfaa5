import type { CreateProductRequest, Product } from "../../lib/validators/product.ts";
import { adminToken, bearing } from "./accounts.ts";
import { api } from "./target.ts";

let token: Promise<string> | undefined;

/** The request headers of an administrator, who logs in once per file of specs. */
export async function asAdmin() {
  token ??= adminToken();
  return bearing(await token);
}

/** The data of a product. */
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

/** Puts a product up for sale. */
export async function withProduct(fields: Partial<CreateProductRequest> = {}): Promise<Product> {
  const { status, body } = await api.post("/products", aProduct(fields), await asAdmin());
  if (status !== 201) throw new Error(`POST /products answered ${status}`);
  return body;
}
