import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { followLinks, linksOf } from "../../support/api/links.ts";
import { api } from "../../support/api/target.ts";

const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id);

describe("the links of a page", () => {
  it("lead through a search with the same body", async () => {
    const name = `name ${randomUUID()}`;
    const ids: number[] = [];
    for (let i = 0; i < 5; i += 1)
      ids.push((await api.post("/users", { name, email: "a@example.com", age: i })).body.id);
    const body = { filters: { name }, sort: "-age", size: 2 };
    const search = (target: string) => api.post(target, body);

    expect((await followLinks(search, "/users/search", idsOf)).records).toEqual(ids.reverse());
    expect(linksOf(await api.post("/users/search", { ...body, page: 2 }))).toEqual({
      next: "/users/search?page=3&size=2",
      prev: "/users/search?page=1&size=2",
      first: "/users/search?page=1&size=2",
      last: "/users/search?page=3&size=2",
    });
  });

  it.each(["page=0", "size=101", "size=x"])("reject %s in a search", async (query) => {
    expect(await api.post(`/users/search?${query}`, { filters: {} })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(query.split("=")[0] ?? "") },
    });
  });
});
