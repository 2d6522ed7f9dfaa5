import { expect } from "vitest";
import { type DemoExpectation, demoRequests, numbered } from "../../support/demo.ts";

export const demo: DemoExpectation = async (api) => {
  const todos = demoRequests("todos", /^POST /).map(({ body }) => body);
  const completed = demoRequests("todos", /^PUT \/todos\/(\d+)$/).flatMap(({ groups }) => groups);
  expect((await api.GET("/todos")).data).toEqual(
    numbered(todos.map(({ title }, i) => ({ title, completed: completed.includes(i + 1) }))),
  );
  return todos.length;
};
