import { expect, it } from "vitest";
import { StoredUser } from "../../../lib/repositories/users.ts";
import { CreateUserRequest, PatchUserRequest, User } from "../../../lib/validators/user.ts";

const user = { name: "x".repeat(389_000), email: `${"x".repeat(400)}@`, age: 36 };

it("bounds the name and the e-mail of a user that is written", () => {
  for (const schema of [CreateUserRequest, PatchUserRequest]) {
    const { error } = schema.safeParse(user);
    expect(error?.issues.map(({ path, code }) => [path[0], code])).toEqual([
      ["name", "too_big"],
      ["email", "too_big"],
    ]);
  }
});

it("still reads a larger user that an earlier version stored", () => {
  expect(StoredUser.parse(user)).toEqual(user);
  expect(User.parse({ id: 1, ...user })).toEqual({ id: 1, ...user });
});
