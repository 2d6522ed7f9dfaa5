import { idOf, locationOf, type SmokeTest, versionHeaderOf } from "./smoke-test.ts";

/** What the test of an area needs. */
export interface AreaContext {
  readonly test: SmokeTest;
  /** Part of all created records and of no others: letters, digits and underscores. */
  readonly name: string;
}

const invalid = { error: "ValidationError" };

/** System routes, demonstration errors and unknown paths. */
export async function testSystem({ test }: AreaContext): Promise<void> {
  await test.call("GET", "/health", { status: 200, body: { status: "ok" } });
  await test.call("GET", "/health/ready", { status: 200 });
  await test.call("GET", "/", { status: 302 });
  await test.call("GET", "/openapi.json", { status: 200, body: { openapi: "3.1.1" } });
  await test.call("GET", "/openapi.json", {
    status: 200,
    headers: { "accept-encoding": "gzip" },
    responseHeaders: { "content-encoding": /^gzip$/ },
  });
  const docs = await test.call("GET", "/docs", { status: 200 });
  const [asset = "/docs/assets/missing.css"] = /\/docs\/assets\/[^"]+\.css/.exec(String(docs?.body)) ?? [];
  await test.call("GET", asset, { status: 200, responseHeaders: { "content-type": /^text\/css/ } });
  await test.call("GET", "/docs/assets/none", { status: 404, body: { detail: "Not Found" } });
  await test.call("GET", "/error", { status: 400 });
  await test.call("GET", "/errors/403", { status: 403 });
  await test.call("GET", "/no-such-path", { status: 404, body: { detail: "Not Found" } });
  await test.call("DELETE", "/todos", { status: 405, body: { detail: "Method Not Allowed" } });
}

export async function testTodos({ test, name }: AreaContext): Promise<void> {
  const created = await test.call("POST", "/todos", {
    json: { title: name },
    status: 201,
    body: { title: name, completed: false },
  });
  const id = idOf(created);
  const todo = `/todos/${id}`;
  test.removeLater(todo);
  await test.call("GET", "/todos", { status: 200, entry: { id, title: name } });
  await test.call("GET", todo, { status: 200, body: { id, title: name } });
  await test.call("PUT", todo, {
    json: { completed: true },
    status: 200,
    body: { title: name, completed: true },
  });
  await test.call("GET", todo, { headers: { "if-none-match": "*" }, status: 304 });
  await test.call("PUT", todo, { headers: { "if-match": '"another"' }, json: {}, status: 412 });
  await testIdempotency(test, name);
  await test.call("GET", "/todos/none", { status: 404, body: { error: "Todo not found" } });
  await test.call("POST", "/todos", { json: {}, status: 422, body: invalid });
}

/** A repeated request with the same idempotency key gets the first response again. */
async function testIdempotency(test: SmokeTest, name: string): Promise<void> {
  const request = { headers: { "idempotency-key": name }, json: { title: name }, status: 201 };
  const id = idOf(await test.call("POST", "/todos", request));
  test.removeLater(`/todos/${id}`);
  await test.call("POST", "/todos", {
    ...request,
    body: { id },
    responseHeaders: { "idempotency-replayed": /^true$/ },
  });
}

/** User records and their nested posts. */
export async function testUsers({ test, name }: AreaContext): Promise<void> {
  const user = { name, email: `${name}@example.com`, age: 36 };
  const id = idOf(await test.call("POST", "/users", { json: user, status: 201, body: user }));
  const record = `/users/${id}`;
  test.removeLater(record);
  const version = versionHeaderOf(await test.call("GET", "/openapi.json", { status: 200 }));
  await test.call("GET", `/users?name=${name}`, {
    status: 200,
    headers: { [version]: "2.0" },
    body: { version: "2.0" },
  });
  await test.call("GET", "/users?limit=1", {
    status: 400,
    headers: { [version]: "9" },
    body: { detail: "Unsupported API version" },
  });
  await test.call("GET", `/users/search?q=${name}`, { status: 200, entry: { id } });
  await test.call("POST", "/users/search", { json: { filters: { id } }, status: 200, entry: user });
  await test.call("GET", record, { status: 200, body: { success: true, data: { id, ...user } } });
  await test.call("PUT", record, { json: { ...user, age: 37 }, status: 200, body: { age: 37 } });
  await test.call("PATCH", record, { json: { age: 38 }, status: 200, body: { ...user, age: 38 } });
  await test.call("POST", "/users", { json: { ...user, email: "none" }, status: 400 });

  const post = { title: name, content: "A nested post" };
  const postId = idOf(
    await test.call("POST", `${record}/posts`, { json: post, status: 201, body: { author_id: id } }),
  );
  test.removeLater(`${record}/posts/${postId}`);
  // Read from an eventually consistent index: the post may be missing.
  await test.call("GET", `${record}/posts`, { status: 200 });
  await test.call("GET", `${record}/posts/${postId}`, { status: 200, body: post });
}

export async function testPosts({ test, name }: AreaContext): Promise<void> {
  const post = { title: name, content: `Words of ${name}`, tags: [name] };
  const created = await test.call("POST", "/posts", {
    json: post,
    status: 201,
    body: { ...post, status: "draft" },
  });
  const id = idOf(created);
  test.removeLater(`/posts/${id}`);
  await test.call("GET", `/posts?tag=${name}`, { status: 200, entry: { id } });
  await test.call("GET", `/posts/${id}`, { status: 200, body: { ...post, view_count: 1 } });
  await test.call("PUT", `/posts/${id}`, {
    json: { ...post, status: "published" },
    status: 200,
    body: { status: "published" },
  });
  await test.call("PATCH", `/posts/${id}`, {
    json: { status: "archived" },
    status: 200,
    body: { ...post, status: "archived" },
  });
  await test.call("GET", `/posts/search?q=${name}&fields=content`, { status: 200, entry: { id } });
  await test.call("GET", "/posts/stats/summary", { status: 200 });
  await test.call("GET", "/posts?limit=101", { status: 422, body: invalid });
  await test.call("POST", "/posts", { json: { title: "" }, status: 422, body: invalid });
}

export async function testItems({ test, name }: AreaContext): Promise<void> {
  const item = { name, nested: { list: [1, null, "ß"] } };
  const path = locationOf(await test.call("POST", "/items/", { json: item, status: 201, body: item }));
  test.removeLater(path);
  await test.call("GET", path, { status: 200, body: item });
  await test.call("GET", "/items?size=1", { status: 200, body: { page: 1, size: 1 } });
  await test.call("GET", "/items/0", { status: 404, body: { error: "NotFound" } });
  await test.call("POST", "/items/", { json: [], status: 422, body: invalid });
}
