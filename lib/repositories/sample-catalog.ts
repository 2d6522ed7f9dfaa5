import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { CreateProductRequest } from "../validators/product.ts";
import { createFirstRecords } from "./records/first-records.ts";

/** A small catalog for trying out the service. The fountain pen is out of stock. */
export const catalogProducts: readonly CreateProductRequest[] = [
  {
    name: "Pour-over kettle",
    description: "Gooseneck kettle of brushed steel, 0.9 litres, for gas and induction.",
    price: 54.9,
    stock: 40,
    category: "kitchen",
  },
  {
    name: "Cast-iron pan",
    description: "Seasoned pan, 26 cm, with a second handle for the oven.",
    price: 39.5,
    stock: 25,
    category: "kitchen",
  },
  {
    name: "Chef's knife",
    description: "20 cm blade of carbon steel, walnut handle.",
    price: 89,
    stock: 12,
    category: "kitchen",
  },
  {
    name: "Linen tea towel",
    description: "Washed linen, 50 × 70 cm, in four colours.",
    price: 9.95,
    stock: 200,
    category: "kitchen",
  },
  {
    name: "Dotted notebook",
    description: "A5, 192 numbered pages of 100 g paper, thread-bound so that it lies flat.",
    price: 14.5,
    stock: 150,
    category: "stationery",
  },
  {
    name: "Fountain pen",
    description: "Piston filler with a fine steel nib.",
    price: 72,
    stock: 0,
    category: "stationery",
  },
  {
    name: "Gel pens, set of six",
    description: "0.5 mm, quick-drying ink, for left-handed writers too.",
    price: 8.4,
    stock: 320,
    category: "stationery",
  },
  {
    name: "Desk lamp",
    description: "Dimmable LED lamp, 2,700 to 6,500 kelvin, with a clamp.",
    price: 64.99,
    stock: 18,
    category: "office",
  },
  {
    name: "Laptop stand",
    description: "Folding aluminium stand for 11 to 16 inches.",
    price: 32.25,
    stock: 60,
    category: "office",
  },
  {
    name: "Mechanical keyboard",
    description: "Tenkeyless, hot-swappable tactile switches, USB-C.",
    price: 119,
    stock: 22,
    category: "office",
  },
  {
    name: "Rain jacket",
    description: "Three layers, taped seams, 340 g, packs into its own pocket.",
    price: 179.9,
    stock: 15,
    category: "outdoor",
  },
  {
    name: "Vacuum flask",
    description: "0.75 litres, keeps hot for twelve hours and cold for twenty-four.",
    price: 27.5,
    stock: 75,
    category: "outdoor",
  },
  {
    name: "Head torch",
    description: "400 lumens, rechargeable, with a red light that spares the eyes.",
    price: 34.95,
    stock: 48,
    category: "outdoor",
  },
];

/**
 * Loads the catalog into a table that has never had a product, under the ids from 1 on: all of it or nothing.
 *
 * @param table the products' table
 * @returns the number of loaded products: 0 if there are or were products
 * @throws ApiError `ServiceUnavailable`
 */
export async function loadCatalog(client: DynamoDBDocumentClient, table: string): Promise<number> {
  return (await createFirstRecords(client, table, catalogProducts)) ? catalogProducts.length : 0;
}
