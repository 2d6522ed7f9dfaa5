import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { linksOf } from "../support/links.ts";
import { createPost, uniqueWord } from "../support/posts.ts";
import { withProduct } from "../support/products.ts";
import { api } from "../support/target.ts";

/** Follows `next` to the end. */
async function walk(first: string, recordsOf: (body: never) => readonly { id: number }[]): Promise<number[]> {
  const ids: number[] = [];
  for (let target: string | undefined = first; target !== undefined; ) {
    const response = await api.get(target);
    expect(response.status).toBe(200);
    ids.push(...recordsOf(response.body as never).map(({ id }) => id));
    target = linksOf(response).next;
  }
  return ids;
}

describe("the links of a page", () => {
  it("lead through a filtered list of posts", async () => {
    const tag = uniqueWord();
    const ids: number[] = [];
    for (let i = 0; i < 5; i += 1) ids.push((await createPost({ tags: [tag] })).id);

    const target = `/posts?tag=${tag}&limit=2&order=asc`;
    expect(await walk(target, (posts: { id: number }[]) => posts)).toEqual(ids);
    const { first, prev, next, last } = linksOf(await api.get(`${target}&page=2`));
    expect([first, prev, next, last]).toEqual(
      [1, 1, 3, 3].map((page) => `/posts?tag=${tag}&limit=2&order=asc&page=${page}`),
    );
    expect(linksOf(await api.get(`${target}&page=9`))).toEqual({ first, prev: last, last });
  });

  it("lead through products, variant A", async () => {
    const category = `shelf ${randomUUID()}`;
    const ids: number[] = [];
    for (let i = 0; i < 3; i += 1) ids.push((await withProduct({ category })).id);

    const target = `/products?size=2&category=${encodeURIComponent(category)}`;
    expect(await walk(target, ({ items }: { items: { id: number }[] }) => items)).toEqual(ids);
  });

  it("lead through users", async () => {
    const name = `name ${randomUUID()}`;
    const ids: number[] = [];
    for (let i = 0; i < 3; i += 1)
      ids.push((await api.post("/users", { name, email: "a@example.com", age: i })).body.id);

    const target = `/users?limit=2&sort=age&order=desc&name=${encodeURIComponent(name)}`;
    expect(await walk(target, (users: { id: number }[]) => users)).toEqual(ids.reverse());
  });

  it("lead to the pages of items around", async () => {
    for (let i = 0; i < 3; i += 1) await api.post("/items/", { name: "lamp" });
    const response = await api.get("/items?size=1&page=2");

    expect(linksOf(response)).toEqual({
      next: "/items?size=1&page=3",
      prev: "/items?size=1&page=1",
      first: "/items?size=1&page=1",
      last: `/items?size=1&page=${response.body.pages}`,
    });
  });

  it.each(["/products?size=0", "/products?category=none"])("are not there for %s", async (target) => {
    expect((await api.get(target)).headers.get("link")).toBeNull();
  });
});
