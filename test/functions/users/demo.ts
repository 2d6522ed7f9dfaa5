import { expect } from "vitest";
import { accounts, DEMO_PASSWORD, users } from "../../../local/demo/people.ts";
import { type DemoExpectation, numbered } from "../../support/demo.ts";

/** Users, and accounts of some of them that can sign in. */
export const demo: DemoExpectation = async (api) => {
  expect((await api.GET("/users")).data).toEqual(
    numbered(users.map(([name, email, age]) => ({ name, email, age }))),
  );
  const [{ username, email } = { username: "", email: "" }] = accounts;
  const { data } = await api.POST("/auth/login", { body: { username, password: DEMO_PASSWORD } });
  const authorization = `Bearer ${data?.access_token}`;
  const me = await api.GET("/users/me", { headers: { authorization } });
  expect(me.data).toEqual({ username, email, role: "user" });
  return users.length + accounts.length;
};
