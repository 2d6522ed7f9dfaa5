import { expect, inject, it } from "vitest";
import { api } from "../support/api/target.ts";

const withKey = () => ({ headers: { "x-api-key": inject("target").apiKey ?? "" } });

const versions = [
  ["1.0", "/api/v1/users", ["version", "users"]],
  ["2.0", "/api/v2/users", ["version", "users", "metadata"]],
] as const;

it.each(versions)("%s contains the users, and 2.0 their number", async (version, path, members) => {
  const { body: user } = await api.post("/users", { name: "Ada", email: "ada@example.com", age: 36 });
  const { body } = await api.get(path, withKey());

  expect(Object.keys(body)).toEqual(members);
  expect(body.version).toBe(version);
  expect(body.users).toContainEqual(user);
  expect(body.metadata).toEqual(version === "2.0" ? { total: body.users.length } : undefined);
  expect(await api.get(path)).toMatchObject({ status: 401 });
  expect(await api.delete(path)).toMatchObject({ status: 401 });
  expect(await api.delete(path, withKey())).toMatchObject({ status: 405 });
});
