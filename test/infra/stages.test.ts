import { describe, expect, it } from "vitest";
import { stageOf } from "../../infra/stages.ts";

const origins = "https://www.example.com";

describe("the users list of a stage", () => {
  it("is one of records unless told", () => {
    expect(stageOf("dev", {}).usersList).toBe("records");
    expect(stageOf("prod", { origins }).usersList).toBe("records");
    expect(stageOf("prod", { origins, usersList: "versioned" }).usersList).toBe("versioned");
  });

  it("is nothing else", () => {
    expect(() => stageOf("dev", { usersList: "both" })).toThrow("-c usersList=records");
  });
});

describe("how long clients may keep an item", () => {
  it("is a minute unless told, and 0 turns it off", () => {
    expect(stageOf("dev", {}).itemCacheSeconds).toBe(60);
    expect(stageOf("prod", { origins }).itemCacheSeconds).toBe(60);
    expect(stageOf("prod", { origins, itemCacheSeconds: "0" }).itemCacheSeconds).toBe(0);
  });

  it.each(["", "-1", "1.5", "a minute"])("is not %j", (itemCacheSeconds) => {
    expect(() => stageOf("dev", { itemCacheSeconds })).toThrow("-c itemCacheSeconds=60");
  });
});

describe("the account's concurrency", () => {
  it("is not known unless told", () => {
    expect(stageOf("prod", { origins }).lambdaConcurrency).toBe(0);
    expect(stageOf("prod", { origins, lambdaConcurrency: "1000" }).lambdaConcurrency).toBe(1_000);
  });

  it.each(["", "-1", "1.5", "all"])("is not %j", (lambdaConcurrency) => {
    expect(() => stageOf("dev", { lambdaConcurrency })).toThrow("-c lambdaConcurrency=1000");
  });
});
