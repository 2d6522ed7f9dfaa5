import { describe, expect, it } from "vitest";
import { api } from "../../support/api/target.ts";
import { createPost } from "../../support/data/posts.ts";
import { withProduct } from "../../support/data/products.ts";
import { hasMethod, recordSamples } from "../../support/data/record-samples.ts";

const OTHER = '"another"';
const cases = Object.entries(recordSamples);
const withoutViews = cases.filter(([kind]) => !kind.endsWith("posts"));
const changeable = cases.filter(([kind]) => hasMethod(kind, ["PUT", "PATCH"]));
const deletable = cases.filter(([kind]) => hasMethod(kind, ["DELETE"]));

describe.each(cases)("the entity tag of %s", (kind, create) => {
  const countsViews = kind.endsWith("posts");

  it("is the same in every response with the record", async () => {
    const { created, path, changes, headers } = await create();
    const tags = [created.headers.get("etag"), (await api.get(path)).headers.get("etag")];
    for (const [method, target, json] of changes) {
      tags.push((await api.request(method, target, json, { headers })).headers.get("etag"));
      tags.push((await api.get(path)).headers.get("etag"));
    }
    const edits = tags.map((tag) => (countsViews ? tag?.replace(/\.\d+"$/, "") : tag));

    for (const tag of tags) expect(tag).toMatch(countsViews ? /^"[\w-]+\.\d+"$/ : /^"[\w-]+"$/);
    for (let i = 0; i < edits.length; i += 2) expect(edits[i]).toBe(edits[i + 1]);
    expect(new Set(edits).size).toBe(edits.length / 2);
  });

  it("is not checked if the record does not exist", async () => {
    const { path, headers } = await create();
    const unknown = path.replace(/\d+$/, "9007199254740991");

    expect(await api.get(unknown, { headers: { "if-none-match": "*" } })).toMatchObject({ status: 404 });
    const [method, target] =
      kind === "orders" ? ["PATCH", `${unknown}/status?status=paid`] : ["DELETE", unknown];
    const response = await api.request(method, target, undefined, {
      headers: { ...headers, "if-match": OTHER },
    });
    expect(response).toMatchObject({ status: 404 });
  });
});

describe.each(withoutViews)("If-None-Match on %s", (_, create) => {
  it("returns 304 if the client has the representation", async () => {
    const { created, path } = await create();
    const tag = created.headers.get("etag") ?? "";

    for (const header of [tag, `W/${tag}`, `${OTHER}, ${tag}`, "*", tag.replace(/"$/, '.gzip"')]) {
      const response = await api.get(path, { headers: { "if-none-match": header } });
      expect(response).toMatchObject({ status: 304, text: "" });
      expect(response.headers.get("etag")).toBe(tag);
    }
    for (const header of [OTHER, tag.slice(1, -1), "", "nonsense"]) {
      expect(await api.get(path, { headers: { "if-none-match": header } })).toMatchObject({ status: 200 });
    }
  });
});

describe.each(changeable)("If-Match on %s", (_, create) => {
  it("allows a change only of the current record", async () => {
    const { path, changes, headers } = await create();
    for (const [method, target, json] of changes) {
      const before = await api.get(path);
      const failed = await api.request(method, target, json, { headers: { ...headers, "if-match": OTHER } });
      expect(failed.status).toBe(412);
      expect((await api.get(path)).headers.get("etag")?.replace(/\.\d+"$/, '"')).toBe(
        before.headers.get("etag")?.replace(/\.\d+"$/, '"'),
      );

      const tag = before.headers.get("etag") ?? "";
      const current = { ...headers, "if-match": `${OTHER}, ${tag}` };
      const done = await api.request(method, target, json, { headers: current });
      expect(done.status).toBe(200);
      expect(done.headers.get("etag")).not.toBe(tag);
      expect(await api.request(method, target, json, { headers: current })).toMatchObject({ status: 412 });
    }
  });

  it("matches any record for * and none for a weak tag", async () => {
    const { path, changes, headers } = await create();
    const tag = (await api.get(path)).headers.get("etag");
    for (const [method, target, json] of changes.slice(0, 1)) {
      const weak = { ...headers, "if-match": `W/${tag}` };
      expect(await api.request(method, target, json, { headers: weak })).toMatchObject({ status: 412 });
      const any = { ...headers, "if-match": "*" };
      expect(await api.request(method, target, json, { headers: any })).toMatchObject({ status: 200 });
    }
  });

  it("allows one of many concurrent changes", async () => {
    const { path, changes, headers } = await create();
    const [method, target, json] = changes[0] ?? expect.unreachable();
    const tag = (await api.get(path)).headers.get("etag") ?? "";
    const responses = await Promise.all(
      Array.from({ length: 5 }, () =>
        api.request(method, target, json, { headers: { ...headers, "if-match": tag } }),
      ),
    );

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
  });
});

describe.each(deletable)("If-Match on the deletion of %s", (_, create) => {
  it("deletes only the current record", async () => {
    const { path, headers } = await create();
    const tag = (await api.get(path)).headers.get("etag") ?? "";

    const failed = await api.delete(path, { headers: { ...headers, "if-match": OTHER } });
    expect(failed.status).toBe(412);
    expect(await api.get(path)).toMatchObject({ status: 200 });
    expect(await api.delete(path, { headers: { ...headers, "if-match": tag } })).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect(await api.get(path)).toMatchObject({ status: 404 });
  });
});

describe("a failed precondition", () => {
  it.each([
    ["todos", { error: expect.any(String) }],
    ["users", { error: expect.any(String) }],
    ["products", { detail: expect.any(String) }],
    ["orders", { detail: expect.any(String) }],
    ["posts", { detail: expect.any(String) }],
  ])("is a 412 in the format of %s", async (kind, body) => {
    const { path, changes, headers } = (await recordSamples[kind]?.()) ?? expect.unreachable();
    const [method, target, json] = changes[0] ?? ["DELETE", path];
    const response = await api.request(method, target, json, { headers: { ...headers, "if-match": OTHER } });

    expect(response).toMatchObject({ status: 412, body });
  });

  it("is checked after validation", async () => {
    const { path } = (await recordSamples.todos?.()) ?? expect.unreachable();
    expect(await api.put(path, { title: 5 }, { headers: { "if-match": OTHER } })).toMatchObject({
      status: 422,
    });
  });

  it("prevents overwriting the stock that an order has deducted", async () => {
    const { id, stock } = await withProduct({ stock: 5 });
    const path = `/products/${id}`;
    const tag = (await api.get(path)).headers.get("etag") ?? "";
    await api.post("/orders", [{ product_id: id, quantity: 2 }]);
    const { headers } = (await recordSamples.products?.()) ?? expect.unreachable();

    const response = await api.patch(path, { stock }, { headers: { ...headers, "if-match": tag } });
    expect(response.status).toBe(412);
    expect((await api.get(path)).body.stock).toBe(3);
  });
});

describe("the views of a post", () => {
  it("are part of its entity tag, so that a 304 never hides a new count", async () => {
    const { id } = await createPost();
    const first = await api.get(`/posts/${id}`);
    const second = await api.get(`/posts/${id}`, {
      headers: { "if-none-match": first.headers.get("etag") ?? "" },
    });

    expect(second).toMatchObject({ status: 200, body: { view_count: 2 } });
    expect(second.headers.get("etag")).not.toBe(first.headers.get("etag"));
  });

  it("are counted even if the response is a 304", async () => {
    const { id } = await createPost();

    const response = await api.get(`/posts/${id}`, { headers: { "if-none-match": "*" } });
    expect(response).toMatchObject({ status: 304, text: "" });
    expect((await api.get(`/posts/${id}`)).body.view_count).toBe(2);
  });

  it("do not change what If-Match compares", async () => {
    const { id } = await createPost();
    const tag = (await api.get(`/posts/${id}`)).headers.get("etag") ?? "";
    await api.get(`/posts/${id}`);

    const changed = await api.patch(`/posts/${id}`, { title: "New" }, { headers: { "if-match": tag } });
    expect(changed).toMatchObject({ status: 200, body: { title: "New", view_count: 2 } });
  });
});
