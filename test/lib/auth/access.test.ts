import { expect, it, vi } from "vitest";
import { createForOwner } from "../../../lib/auth/access.ts";

const owner = { username: "ada", seesAll: false };
const rules = { posts: { get: "owner" }, users: { get: "owner" }, todos: { get: "account" } } as const;

it("dependencies have the owner of the route's area, and of areas whose records are private", () => {
  const areas = ["posts", "users", "todos", "items"];
  const owners = createForOwner(
    (ownerOf) => areas.map(ownerOf),
    owner,
    { key: "GET /posts", tag: "posts" },
    rules,
  );
  expect(owners).toEqual([owner, owner, undefined, undefined]);
});

it("a function that does not ask for the owner of its area fails", () => {
  const create = vi.fn((ownerOf) => ownerOf("users"));
  expect(() => createForOwner(create, owner, { key: "GET /posts", tag: "posts" }, rules)).toThrow(
    "The function of GET /posts does not ask who owns posts",
  );
  expect(create).toHaveBeenCalledOnce();
});
