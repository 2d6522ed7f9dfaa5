import { expect, it } from "vitest";
import { StoredUser } from "../../../lib/repositories/users.ts";
import { NewUser, User } from "../../../lib/validators/user.ts";
import { UserSearch } from "../../../lib/validators/users-list.ts";

const user = { name: "x".repeat(389_000), email: `${"x".repeat(400)}@`, age: 36 };

it("still reads a larger user that an earlier version stored", () => {
  expect(StoredUser.parse(user)).toEqual(user);
  expect(User.parse({ id: 1, ...user })).toEqual({ id: 1, ...user });
});

const missing = [["name"], { type: "missing" }];
it.each([
  [{ username: "ada" }, missing],
  [{ password: "Passw0rd" }, missing],
  [{ username: "ada", name: "Ada" }, undefined],
  [{ email: "a@b" }, undefined],
])("says where to register an account: %j, %j", (body, expected) => {
  const issues = NewUser.safeParse(body).error?.issues ?? [];
  const found = issues.find(({ message }) => message.includes("POST /users/ (with the slash)"));
  expect(found && [found.path, found.code === "custom" && found.params]).toEqual(expected);
});

it("says which fields can be searched, and nothing else of another kind of error", () => {
  const messageOf = (filters: object) => UserSearch.safeParse({ filters }).error?.issues[0]?.message;
  expect(messageOf({ role: "admin" })).toBe("May contain only id, name, email, age");
  expect(messageOf([])).not.toContain("May contain only");
});
