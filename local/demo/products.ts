import type { ApiClient } from "../../client/index.js";
import { succeed } from "./succeed.ts";

/** Name, description, price, stock and category. The sample catalog has thirteen more. */
export const products: readonly (readonly [string, string, number, number, string])[] = [
  ["Coffee grinder", "Hand grinder with steel burrs and forty steps, for 30 g.", 69, 35, "kitchen"],
  ["Bread tin", "Blued steel, for a loaf of one kilogram.", 24.9, 60, "kitchen"],
  ["Digital scale", "To 5 kg in steps of one gram, with a timer.", 29.95, 44, "kitchen"],
  ["Salad spinner", "Pull cord and brake; the bowl also serves at table.", 26.5, 0, "kitchen"],
  ["Pencils, box of twelve", "Cedar, HB, sharpened.", 11.2, 180, "stationery"],
  ["Desk calendar", "One page a week, undated, so that it starts when you do.", 16.8, 90, "stationery"],
  ["Ink, bottle of 50 ml", "Blue-black, fast to light and water.", 13.5, 75, "stationery"],
  ["Monitor arm", "Gas spring, for screens of up to 32 inches and 9 kg.", 94.5, 17, "office"],
  ["Wireless mouse", "Quiet buttons, three devices, charges by USB-C.", 44.9, 65, "office"],
  ["Footrest", "Beech, with an angle that follows your feet.", 58, 21, "office"],
  ["Cable tray", "Holds the strip and its cables under the desk.", 19.9, 110, "office"],
  ["Trekking poles", "Aluminium, 62 to 135 cm, with cork grips.", 64.95, 30, "outdoor"],
  ["Camping stove", "95 g, boils a litre in three minutes.", 42.5, 26, "outdoor"],
  ["Sleeping mat", "7 cm of air, 420 g, with a pump sack.", 119.9, 19, "outdoor"],
  ["Wool blanket", "Undyed wool of mountain sheep, 140 × 200 cm.", 129, 11, "home"],
  ["Table lamp", "Ceramic foot, linen shade, dimmable.", 84, 23, "home"],
  ["Wall clock", "Ash, 30 cm, with a movement that does not tick.", 54.5, 16, "home"],
  ["Atlas of rivers", "Two hundred maps, from source to sea.", 48, 27, "books"],
  ["Bread, slowly", "Sixty recipes that need time and little else.", 32, 41, "books"],
  ["The night sky", "A year of stars for the naked eye, month by month.", 28.5, 36, "books"],
  ["Mending", "How to darn, patch and sew on a button that stays.", 22, 52, "books"],
  ["Pruning shears", "Forged, with a replaceable blade, for 22 mm.", 47.5, 40, "garden"],
  ["Watering can", "Galvanised steel, 9 litres, with a fine rose.", 38, 29, "garden"],
  ["Seed set", "Ten old varieties of vegetables, for one bed.", 17.9, 130, "garden"],
  ["Cabin bag", "38 litres, fits the limits of most airlines.", 139, 20, "travel"],
  ["Packing cubes, set of four", "Light nylon with mesh, in four sizes.", 29.9, 105, "travel"],
  ["Travel adapter", "For 150 countries, with two USB-C sockets.", 36.5, 62, "travel"],
];

export async function createProducts(api: ApiClient): Promise<void> {
  for (const [name, description, price, stock, category] of products)
    await succeed(api.idempotent("/products", { body: { name, description, price, stock, category } }));
}
