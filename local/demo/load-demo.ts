import { type ApiClient, createClient, type Result } from "../../client/index.js";
import { orders } from "./orders.ts";
import { accounts, DEMO_PASSWORD, todos, users } from "./people.ts";
import { posts, views } from "./posts.ts";
import { products } from "./products.ts";

/**
 * Fills a new service with a small world, by requests such as clients send: the same records under the same ids each
 * time. It expects the sample catalog as the first products.
 *
 * @param url of the gateway
 * @returns how many records it created
 * @throws Error with the first request that failed
 */
export async function loadDemo(url: string, adminPassword: string): Promise<number> {
  let token: string | undefined;
  const api = createClient({ baseUrl: url, token: () => token });
  const login = await succeed(
    api.POST("/auth/login", { body: { username: "admin", password: adminPassword } }),
  );
  token = login.access_token;
  // Records of one area are created one after the other, because that decides their ids.
  await Promise.all([
    createProducts(api).then(() => placeOrders(api)),
    createPeople(api),
    writePosts(api),
    createTodos(api),
  ]);
  return [products, users, accounts, orders, posts, todos].reduce((sum, { length }) => sum + length, 0);
}

async function createProducts(api: ApiClient): Promise<void> {
  for (const [name, description, price, stock, category] of products)
    await succeed(api.idempotent("/products", { body: { name, description, price, stock, category } }));
}

async function placeOrders(api: ApiClient): Promise<void> {
  for (const [user, status, cart] of orders) {
    const body = Object.entries(cart).map(([id, quantity]) => ({ product_id: Number(id), quantity }));
    const order = await succeed(api.idempotent("/orders", { params: { query: { user_id: user } }, body }));
    if (status === "pending") continue;
    const params = { path: { order_id: order.id }, query: { status } };
    await succeed(api.PATCH("/orders/{order_id}/status", { params }));
  }
}

async function createPeople(api: ApiClient): Promise<void> {
  for (const [name, email, age] of users)
    await succeed(api.idempotent("/users", { body: { name, email, age } }));
  const body = accounts.map(([username, user]) => {
    const [, email = "", age = null] = users[user - 1] ?? [];
    return { username, email, age, password: DEMO_PASSWORD };
  });
  await succeed(api.idempotent("/users/batch", { body }));
}

async function writePosts(api: ApiClient): Promise<void> {
  for (const { author_id, ...body } of posts)
    await succeed(api.idempotent("/posts", { params: { query: { author_id } }, body }));
  for (const [index, count] of views.entries())
    for (let view = 0; view < count; view++)
      await succeed(api.GET("/posts/{post_id}", { params: { path: { post_id: index + 1 } } }));
}

async function createTodos(api: ApiClient): Promise<void> {
  for (const [title, completed] of todos) {
    const { id } = await succeed(api.idempotent("/todos", { body: { title } }));
    if (completed) await succeed(api.PUT("/todos/{id}", { params: { path: { id } }, body: { completed } }));
  }
}

/** @returns the body of a success */
async function succeed<T>(request: Promise<Result<T>>): Promise<T> {
  const { data, error } = await request;
  if (error) throw error;
  return data;
}
