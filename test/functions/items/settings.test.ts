import { describe, expect, it } from "vitest";
import { resolveStage } from "../../../infra/stages.ts";

describe("the setting itemCacheSeconds", () => {
  it("is a minute by default", () => {
    expect(resolveStage("dev", {}).areaSettings).toMatchObject({ itemCacheSeconds: "60" });
  });

  it("can be 0, which omits the header", () => {
    expect(resolveStage("dev", { itemCacheSeconds: "0" }).areaSettings).toMatchObject({
      itemCacheSeconds: "0",
    });
  });

  it.each(["", "-1", "1.5", "a minute"])("cannot be %j", (itemCacheSeconds) => {
    expect(() => resolveStage("dev", { itemCacheSeconds })).toThrow(
      "-c itemCacheSeconds=… must be a whole number of seconds",
    );
  });
});
