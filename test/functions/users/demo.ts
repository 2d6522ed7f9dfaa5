import { expect } from "vitest";
import { people } from "../../../local/demo/people.ts";
import { type DemoExpectation, numbered } from "../../support/demo.ts";

export const demo: DemoExpectation = async (api) => {
  const users = numbered(people.map(([name, email, age]) => ({ name, email, age })));
  expect((await api.GET("/users")).data).toEqual(users);
  return users.length;
};
