import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkCart } from "../../../lib/domain/orders.ts";
import type { Product } from "../../../lib/validators/product.ts";

function productsOf(...products: Partial<Product>[]): Product[] {
  const kettle = { id: 1, name: "Kettle", description: "", price: 10, stock: 10, category: "kitchen" };
  return products.map((product) => ({ ...kettle, ...product }));
}

describe("checking a cart", () => {
  it("computes the total in decimal, and one deduction per product", () => {
    const products = productsOf({ id: 1, price: 0.1 }, { id: 2, price: 0.7 });
    const second = { product_id: 2, quantity: 1 };
    const lines = [{ product_id: 1, quantity: 3 }, second, { product_id: 1, quantity: 1 }];
    expect(checkCart(lines, products)).toMatchObject({
      total: 1.1,
      deductions: [
        { product_id: 1, quantity: 4, product: { price: 0.1 } },
        { ...second, product: { price: 0.7 } },
      ],
    });
  });

  it("computes the same total as integer arithmetic in cents", () => {
    const line = fc.record({
      id: fc.integer({ min: 1, max: 9 }),
      cents: fc.integer({ min: 1, max: 10_000_000 }),
      quantity: fc.integer({ min: 1, max: 1_000 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(line, { minLength: 1, selector: ({ id }) => id }), (lines) => {
        const offers = lines.map(({ id, cents }) => ({ id, price: cents / 100, stock: 1_000 }));
        const products = productsOf(...offers);
        const cents = lines.reduce((sum, line) => sum + BigInt(line.cents) * BigInt(line.quantity), 0n);
        const digits = String(cents).padStart(3, "0");
        const cart = lines.map(({ id, quantity }) => ({ product_id: id, quantity }));
        expect(checkCart(cart, products).total).toBe(Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`));
      }),
    );
  });

  it("says how many pieces all lines of a product order", () => {
    const lines = [6, 5].map((quantity) => ({ product_id: 1, quantity }));
    expect(() => checkCart(lines, productsOf({}))).toThrow("Kettle (product 1): 10 left, 11 ordered");
  });

  it("rejects a total beyond the exact integers", () => {
    const products = productsOf({ price: 1e12, stock: 1e12 });
    expect(checkCart([{ product_id: 1, quantity: 9_007 }], products).total).toBe(9.007e15);
    const details = [expect.objectContaining({ field: "body", type: "too_big" })];
    expect(() => checkCart([{ product_id: 1, quantity: 9_008 }], products)).toThrow(
      expect.objectContaining({ code: "ValidationError", details }),
    );
  });
});
