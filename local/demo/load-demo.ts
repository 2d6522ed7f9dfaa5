import { createClient } from "../../client/index.js";
import { placeOrders } from "./orders.ts";
import { registerPeople } from "./people.ts";
import { writePosts } from "./posts.ts";
import { createProducts } from "./products.ts";
import { succeed } from "./succeed.ts";
import { createTodos } from "./todos.ts";
import { createUsers } from "./users.ts";

/** Fills a new service, whose first products are the sample catalog. @throws Error if a request failed */
export async function loadDemo(url: string, adminPassword: string): Promise<void> {
  let token: string | undefined;
  const api = createClient({ baseUrl: url, token: () => token });
  const login = await succeed(
    api.POST("/auth/login", { body: { username: "admin", password: adminPassword } }),
  );
  token = login.access_token;
  // Records of one area are created one after the other, because that decides their ids.
  const products = createProducts(api);
  await Promise.all([
    products,
    registerPeople(api),
    createUsers(api),
    placeOrders(api, products),
    writePosts(api),
    createTodos(api),
  ]);
}
