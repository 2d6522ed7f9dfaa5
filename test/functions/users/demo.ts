import { expect } from "vitest";
import { type DemoExpectation, demoRequests, numbered } from "../../support/demo.ts";

export const demo: DemoExpectation = async (api) => {
  const users = demoRequests("users", /^POST \/users$/).map(({ body }) => body);
  expect((await api.GET("/users")).data).toEqual(numbered(users));
  return users.length;
};
