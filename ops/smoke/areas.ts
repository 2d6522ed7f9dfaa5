import { idOf, locationOf, versionHeaderOf, type Walk } from "./smoke-test.ts";

/** What an area is walked with. */
export interface Visit {
  readonly walk: Walk;
  /** Stands in everything that is created; letters, digits and underscores, in no other record. */
  readonly name: string;
}

const invalid = { error: "ValidationError" };

/** The service itself, the routes that fail on purpose, and what there is not. */
export async function visitSystem({ walk }: Visit): Promise<void> {
  await walk.call("GET", "/health", { status: 200, has: { status: "ok" } });
  await walk.call("GET", "/health/ready", { status: 200 });
  await walk.call("GET", "/", { status: 302 });
  await walk.call("GET", "/openapi.json", { status: 200, has: { openapi: "3.1.1" } });
  await walk.call("GET", "/openapi.json", {
    status: 200,
    headers: { "accept-encoding": "gzip" },
    carries: { "content-encoding": /^gzip$/ },
  });
  const docs = await walk.call("GET", "/docs", { status: 200 });
  const [asset = "/docs/assets/of-the-page"] = /\/docs\/assets\/[^"]+\.css/.exec(String(docs?.body)) ?? [];
  await walk.call("GET", asset, { status: 200, carries: { "content-type": /^text\/css/ } });
  await walk.call("GET", "/docs/assets/none", { status: 404, has: { detail: "Not Found" } });
  await walk.call("GET", "/error", { status: 400 });
  await walk.call("GET", "/errors/403", { status: 403 });
  await walk.call("GET", "/no-such-path", { status: 404, has: { detail: "Not Found" } });
  await walk.call("DELETE", "/todos", { status: 405, has: { detail: "Method Not Allowed" } });
}

export async function visitTodos({ walk, name }: Visit): Promise<void> {
  const created = await walk.call("POST", "/todos", {
    json: { title: name },
    status: 201,
    has: { title: name, completed: false },
  });
  const id = idOf(created);
  const todo = `/todos/${id}`;
  walk.removeLater(todo);
  await walk.call("GET", "/todos", { status: 200, includes: { id, title: name } });
  await walk.call("GET", todo, { status: 200, has: { id, title: name } });
  await walk.call("PUT", todo, {
    json: { completed: true },
    status: 200,
    has: { title: name, completed: true },
  });
  await walk.call("GET", todo, { headers: { "if-none-match": "*" }, status: 304 });
  await walk.call("PUT", todo, { headers: { "if-match": '"another"' }, json: {}, status: 412 });
  await createOnce(walk, name);
  await walk.call("GET", "/todos/none", { status: 404, has: { error: "Todo not found" } });
  await walk.call("POST", "/todos", { json: {}, status: 422, has: invalid });
}

/** The same request under the same key is answered as before. */
async function createOnce(walk: Walk, name: string): Promise<void> {
  const request = { headers: { "idempotency-key": name }, json: { title: name }, status: 201 };
  const id = idOf(await walk.call("POST", "/todos", request));
  walk.removeLater(`/todos/${id}`);
  await walk.call("POST", "/todos", {
    ...request,
    has: { id },
    carries: { "idempotency-replayed": /^true$/ },
  });
}

/** The user records, with a post of theirs. */
export async function visitUsers({ walk, name }: Visit): Promise<void> {
  const user = { name, email: `${name}@example.com`, age: 36 };
  const id = idOf(await walk.call("POST", "/users", { json: user, status: 201, has: user }));
  const record = `/users/${id}`;
  walk.removeLater(record);
  const version = versionHeaderOf(await walk.call("GET", "/openapi.json", { status: 200 }));
  await walk.call("GET", `/users?name=${name}`, {
    status: 200,
    headers: { [version]: "2.0" },
    has: { version: "2.0" },
  });
  await walk.call("GET", "/users?limit=1", {
    status: 400,
    headers: { [version]: "9" },
    has: { detail: "Unsupported API version" },
  });
  await walk.call("GET", `/users/search?q=${name}`, { status: 200, includes: { id } });
  await walk.call("POST", "/users/search", { json: { filters: { id } }, status: 200, includes: user });
  await walk.call("GET", record, { status: 200, has: { success: true, data: { id, ...user } } });
  await walk.call("PUT", record, { json: { ...user, age: 37 }, status: 200, has: { age: 37 } });
  await walk.call("PATCH", record, { json: { age: 38 }, status: 200, has: { ...user, age: 38 } });
  await walk.call("POST", "/users", { json: { ...user, email: "none" }, status: 400 });

  const post = { title: name, content: "Of a user" };
  const postId = idOf(
    await walk.call("POST", `${record}/posts`, { json: post, status: 201, has: { author_id: id } }),
  );
  walk.removeLater(`${record}/posts/${postId}`);
  // By an index, which may lag behind.
  await walk.call("GET", `${record}/posts`, { status: 200 });
  await walk.call("GET", `${record}/posts/${postId}`, { status: 200, has: post });
}

export async function visitPosts({ walk, name }: Visit): Promise<void> {
  const post = { title: name, content: `Words of ${name}`, tags: [name] };
  const created = await walk.call("POST", "/posts", {
    json: post,
    status: 201,
    has: { ...post, status: "draft" },
  });
  const id = idOf(created);
  walk.removeLater(`/posts/${id}`);
  await walk.call("GET", `/posts?tag=${name}`, { status: 200, includes: { id } });
  await walk.call("GET", `/posts/${id}`, { status: 200, has: { ...post, view_count: 1 } });
  await walk.call("PUT", `/posts/${id}`, {
    json: { ...post, status: "published" },
    status: 200,
    has: { status: "published" },
  });
  await walk.call("PATCH", `/posts/${id}`, {
    json: { status: "archived" },
    status: 200,
    has: { ...post, status: "archived" },
  });
  await walk.call("GET", `/posts/search?q=${name}&fields=content`, { status: 200, includes: { id } });
  await walk.call("GET", "/posts/stats/summary", { status: 200 });
  await walk.call("GET", "/posts?limit=101", { status: 422, has: invalid });
  await walk.call("POST", "/posts", { json: { title: "" }, status: 422, has: invalid });
}

export async function visitItems({ walk, name }: Visit): Promise<void> {
  const item = { name, nested: { list: [1, null, "ß"] } };
  const path = locationOf(await walk.call("POST", "/items/", { json: item, status: 201, has: item }));
  walk.removeLater(path);
  await walk.call("GET", path, { status: 200, has: item });
  await walk.call("GET", "/items?size=1", { status: 200, has: { page: 1, size: 1 } });
  await walk.call("GET", "/items/0", { status: 404, has: { error: "NotFound" } });
  await walk.call("POST", "/items/", { json: [], status: 422, has: invalid });
}
