import type { ApiClient } from "../../client/index.js";
import { people } from "./people.ts";
import { succeed } from "./succeed.ts";

export async function createUsers(api: ApiClient): Promise<void> {
  for (const [name, email, age] of people)
    await succeed(api.idempotent("/users", { body: { name, email, age } }));
}
