import { afterEach, describe, expect, it, vi } from "vitest";
import { setting, tableName } from "../../lib/settings.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a setting", () => {
  it("is the environment variable's value", () => {
    vi.stubEnv("SHADE", "dark");

    expect(setting("SHADE")).toBe("dark");
  });

  it("can be the name of a table", () => {
    vi.stubEnv("TODOS_TABLE", "todos-of-a-stage");

    expect(tableName("todos")).toBe("todos-of-a-stage");
    expect(() => tableName("posts")).toThrow("POSTS_TABLE is not set");
  });

  it("is required", () => {
    vi.stubEnv("SHADE", "");

    expect(() => setting("SHADE")).toThrow("SHADE is not set");
  });
});
