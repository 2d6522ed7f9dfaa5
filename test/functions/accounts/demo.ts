import { expect } from "vitest";
import { type DemoExpectation, demoRequests } from "../../support/demo.ts";

/** Accounts that can sign in. */
export const demo: DemoExpectation = async (api) => {
  const accounts = demoRequests("accounts", /^POST \/users\/batch$/).flatMap(({ body }) => body);
  const { username, email, password } = accounts[0];
  const { data } = await api.POST("/auth/login", { body: { username, password } });
  const authorization = `Bearer ${data?.access_token}`;
  const me = await api.GET("/users/me", { headers: { authorization } });
  expect(me.data).toEqual({ username, email, role: "user" });
  return accounts.length;
};
