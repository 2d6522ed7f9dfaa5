import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { expectInvalid } from "../support/api/expect-invalid.ts";
import { locationOf } from "../support/api/links.ts";
import { api } from "../support/api/target.ts";

async function createTodo(title = "Buy milk") {
  const { status, body } = await api.post("/todos", { title });
  expect(status).toBe(201);
  return body as { id: number; title: string; completed: boolean };
}

describe("POST /todos", () => {
  it("creates a todo that is not completed and returns its location; other fields are ignored", async () => {
    for (const others of [{}, { completed: true, id: -7, extra: null }]) {
      const response = await api.post("/todos", { title: "Buy milk", ...others });
      const { id } = response.body;
      expect(id).toBeGreaterThan(0);
      const text = `{"id":${id},"title":"Buy milk","completed":false}`;
      expect(response).toMatchObject({ status: 201, text });
      expect(locationOf(response)).toBe(`/todos/${id}`);
    }
  });

  const titles = ["", " ", "🧀".repeat(1_000), "\u0000", "‮left", "é", "'; DROP TABLE todos; --"];
  it.each(titles)("keeps the title %j as it is", async (title) => {
    const { id } = await createTodo(title);
    expect((await api.get(`/todos/${id}`)).body.title).toBe(title);
  });

  it.each([
    ["no title", {}, "missing"],
    ["null", { title: null }, "invalid_type"],
    ["1,001 characters", { title: "x".repeat(1_001) }, "too_big"],
    ["a lone surrogate", { title: "\ud800" }, "invalid_format"],
  ])("rejects %s", async (_, json, type) => {
    expectInvalid(await api.post("/todos", json), [`body.title ${type}`]);
  });
});

describe("PUT /todos/{id}", () => {
  it.each([
    ["both fields", { title: "new", completed: true }, { title: "new", completed: true }],
    ["only the title", { title: "new" }, { title: "new", completed: false }],
    ["only completed", { completed: true }, { title: "old", completed: true }],
    ["nothing if fields are null", { title: null, completed: null }, { title: "old", completed: false }],
    ["nothing for an empty object", {}, { title: "old", completed: false }],
  ])("changes %s", async (_, json, expected) => {
    const { id } = await createTodo("old");
    const { status, body } = await api.put(`/todos/${id}`, json);
    expect([status, body]).toEqual([200, { id, ...expected }]);
    expect((await api.get(`/todos/${id}`)).body).toEqual(body);
  });

  it.each([
    ["application/merge-patch+json", '{"completed":null}', 200],
    ["application/json-patch+json", '[{"op":"remove","path":"/completed"}]', 422],
    ["application/cbor", new Uint8Array([0xa1, 0x65, 0x74]), 422],
    ["application/xml", "<title>new</title>", 422],
    ["multipart/form-data; boundary=b", "--b\r\n\r\nnew\r\n--b--", 422],
  ])("reads a body as JSON, also of the type %s", async (type, sent, expected) => {
    const todo = await createTodo("old");
    const headers = { "content-type": type };
    expect((await api.send("PUT", `/todos/${todo.id}`, sent, { headers })).status).toBe(expected);
    expect((await api.get(`/todos/${todo.id}`)).body).toEqual(todo);
  });

  it("reports every validation error without changes", async () => {
    const todo = await createTodo("old");
    expectInvalid(await api.put(`/todos/${todo.id}`, { title: 1, completed: "yes" }), [
      "body.title invalid_type",
      "body.completed invalid_type",
    ]);
    expect((await api.get(`/todos/${todo.id}`)).body).toEqual(todo);
  });
});

it("an Idempotency-Key of a todo returns the first response even if the todo was changed or deleted", async () => {
  const options = { headers: { "idempotency-key": randomUUID() } };
  const first = await api.post("/todos", { title: "first" }, options);
  await api.put(`/todos/${first.body.id}`, { title: "second" });
  expect((await api.post("/todos", { title: "first" }, options)).body).toEqual(first.body);

  await api.delete(`/todos/${first.body.id}`);
  expect((await api.post("/todos", { title: "first" }, options)).body).toEqual(first.body);
  expect(await api.get(`/todos/${first.body.id}`)).toMatchObject({ status: 404 });
});
