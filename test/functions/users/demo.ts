import { expect } from "vitest";
import { type DemoExpectation, demoRequests, numbered } from "../../support/demo.ts";

/** Users, and accounts of some of them that can sign in. */
export const demo: DemoExpectation = async (api) => {
  const users = demoRequests("users", /^POST \/users$/).map(({ body }) => body);
  const accounts = demoRequests("users", /^POST \/users\/batch$/).flatMap(({ body }) => body);
  expect((await api.GET("/users")).data).toEqual(numbered(users));
  const { username, email, password } = accounts[0];
  const { data } = await api.POST("/auth/login", { body: { username, password } });
  const authorization = `Bearer ${data?.access_token}`;
  const me = await api.GET("/users/me", { headers: { authorization } });
  expect(me.data).toEqual({ username, email, role: "user" });
  return users.length + accounts.length;
};
