import { expect } from "vitest";
import { accounts, DEMO_PASSWORD } from "../../../local/demo/people.ts";
import type { DemoExpectation } from "../../support/demo.ts";

/** Some can sign in. */
export const demo: DemoExpectation = async (api) => {
  const [{ username, email } = { username: "", email: "" }] = accounts;
  const { data } = await api.POST("/auth/login", { body: { username, password: DEMO_PASSWORD } });
  const authorization = `Bearer ${data?.access_token}`;
  const me = await api.GET("/users/me", { headers: { authorization } });
  expect(me.data).toEqual({ username, email, role: "user" });
  return accounts.length;
};
