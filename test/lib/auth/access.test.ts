import { expect, it, vi } from "vitest";
import { type AccessRules, createForOwner } from "../../../lib/auth/access.ts";
import { emptyRoute } from "../../support/api/test-route.ts";

const posts = { get: "anyone", list: "owner" } as const;
const rules: AccessRules = { posts, users: { get: "owner" }, todos: { list: "account" } };
const areas = ["posts", "users", "todos", "items"];
const own = { username: "ada", seesAll: false };
const all = { username: "ada", seesAll: true };

const listOf = (tag: string) => ({ ...emptyRoute(`GET /${tag}`), tag });

it.each([
  ["posts", false, [own, own, undefined, undefined]],
  ["posts", true, [all, all, undefined, undefined]],
  // The records of another area stay private for routes that let in any account.
  ["todos", false, [undefined, own, undefined, undefined]],
])("a list of %s depends on owners of records that belong to accounts", (tag, seesAll, expected) => {
  const caller = { username: "ada", seesAll };
  expect(createForOwner((ownerOf) => areas.map(ownerOf), caller, listOf(tag), rules)).toEqual(expected);
});

it("a function that does not ask for the owner of its area fails", () => {
  const create = vi.fn((ownerOf) => ownerOf("users"));
  const message = "The function of GET /posts does not ask who owns posts";
  expect(() => createForOwner(create, own, listOf("posts"), rules)).toThrow(message);
  expect(create).toHaveBeenCalledOnce();
});
