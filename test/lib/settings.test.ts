import { afterEach, describe, expect, it, vi } from "vitest";
import { choiceSetting, setting } from "../../lib/settings.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a setting", () => {
  it("is the environment variable's value", () => {
    vi.stubEnv("SHADE", "dark");

    expect(setting("SHADE")).toBe("dark");
    expect(choiceSetting("SHADE", ["light", "dark"])).toBe("dark");
  });

  it("has to be there", () => {
    vi.stubEnv("SHADE", "");

    expect(() => setting("SHADE")).toThrow("SHADE is not set");
  });

  it("has to be one of its words", () => {
    vi.stubEnv("SHADE", "grey");

    expect(() => choiceSetting("SHADE", ["light", "dark"])).toThrow("SHADE is none of light, dark");
  });
});
