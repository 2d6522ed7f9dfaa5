import type { ApiClient } from "../../client/index.js";
import { succeed } from "./succeed.ts";

export const todos: readonly (readonly [string, boolean])[] = [
  ["Count the stock of fountain pens", true],
  ["Answer Elif about the late parcel", true],
  ["Photograph the new garden tools", false],
  ["Order boxes for the blankets", false],
  ["Proofread the article on sharpening", false],
  ["Renew the domain", true],
  ["Plan the spring sale", false],
];

export async function createTodos(api: ApiClient): Promise<void> {
  for (const [title, completed] of todos) {
    const { id } = await succeed(api.idempotent("/todos", { body: { title } }));
    if (completed) await succeed(api.PUT("/todos/{id}", { params: { path: { id } }, body: { completed } }));
  }
}
