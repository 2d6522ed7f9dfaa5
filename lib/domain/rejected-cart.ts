import type { Product } from "../validators/product.ts";
import { ApiError, notFound, validationError } from "./errors.ts";

type OfferedProduct = Pick<Product, "id" | "name" | "stock">;

export type RejectedCart = { readonly ok: false } & (
  | { readonly reason: "unknown-product"; readonly product_id: number }
  | { readonly reason: "insufficient-stock"; readonly product: OfferedProduct; readonly ordered: number }
  | { readonly reason: "total-too-large" }
);

export function cartError(cart: RejectedCart): ApiError {
  switch (cart.reason) {
    case "unknown-product":
      return notFound("Product", cart.product_id);
    case "insufficient-stock": {
      const { id, name, stock } = cart.product;
      return new ApiError(
        "InvalidArgument",
        `Insufficient stock of ${name} (product ${id}): ${stock} left, ${cart.ordered} ordered`,
      );
    }
    case "total-too-large":
      return validationError([
        { field: "body", message: `The total must be at most ${Number.MAX_SAFE_INTEGER}`, type: "too_big" },
      ]);
  }
}
