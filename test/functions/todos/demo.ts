import { expect } from "vitest";
import { todos } from "../../../local/demo/todos.ts";
import { type DemoExpectation, numbered } from "../../support/demo.ts";

export const demo: DemoExpectation = async (api) => {
  expect((await api.GET("/todos")).data).toEqual(
    numbered(todos.map(([title, completed]) => ({ title, completed }))),
  );
  return todos.length;
};
