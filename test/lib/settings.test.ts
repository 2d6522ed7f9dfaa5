import { afterEach, expect, it, vi } from "vitest";
import { tableName } from "../../lib/settings.ts";

afterEach(() => vi.unstubAllEnvs());

it("the name of a table is a setting that must not be empty", () => {
  vi.stubEnv("TODOS_TABLE", "todos-of-a-stage");
  expect(tableName("todos")).toBe("todos-of-a-stage");
  vi.stubEnv("TODOS_TABLE", "");
  expect(() => tableName("todos")).toThrow("TODOS_TABLE is not set");
});
