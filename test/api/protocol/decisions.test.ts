import { describe, expect, it } from "vitest";
import { api } from "../../support/api/target.ts";

const beyond = "9007199254740993";
const account = { username: "decisions", password: "none" };

describe("docs/decisions.md", () => {
  it.each([
    ["a page of products from 0", "GET", "/products?page=0", undefined, 422],
    ["an empty cart", "POST", "/orders", [], 422],
    ["another sort_by of posts", "GET", "/posts?sort_by=title", undefined, 422],
    ["a todo beyond 2^53", "GET", `/todos/${beyond}`, undefined, 404],
    ["a product beyond 2^53", "GET", `/products/${beyond}`, undefined, 422],
    ["an order beyond 2^53", "GET", `/orders/${beyond}`, undefined, 422],
    ["a post beyond 2^53", "GET", `/posts/${beyond}`, undefined, 422],
    ["an item beyond 2^53", "GET", `/items/${beyond}`, undefined, 422],
    ["an unknown filter", "POST", "/users/search", { filters: { role: "admin" } }, 400],
  ] as const)("says what happens to %s: %s %s %j is %i", async (_, method, path, body, status) => {
    expect((await api.request(method, path, body)).status).toBe(status);
  });

  it.each([
    ["/todos", "PATCH"],
    ["/items/1", "PATCH"],
    ["/users", "DELETE"],
  ])("says that the body of a 405 is the same in every area: %s", async (path, method) => {
    expect((await api.request(method, path)).body).toEqual({ detail: "Method Not Allowed" });
  });

  it("says which e-mails are accepted", async () => {
    const fieldsOf = async (email: string) =>
      (await api.post("/users/", { ...account, email })).body.details.map(
        ({ field }: { field: string }) => field,
      );

    // The password is refused, so that no account is created.
    expect(new Set(await fieldsOf("a@b-.co"))).toEqual(new Set(["body.password"]));
    expect(await fieldsOf("ü@example.com")).toContain("body.email");
  });
});
