import { describe, expect, it } from "vitest";
import { delayAfter, networkOf } from "../../../lib/domain/login-throttle.ts";

describe("the delay after failed logins", () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 1_000],
    [6, 2_000],
    [7, 4_000],
    [8, 8_000],
    [9, 16_000],
    [10, 30_000],
    [5_000, 30_000],
  ])("after %i failures, of which five cause no delay, is %i ms", (failures, expected) => {
    expect(delayAfter(failures, 5)).toBe(expected);
  });
});

it("has no maximum delay but the one given", () => {
  expect([11, 14, 20].map((failures) => delayAfter(failures, 5, 900_000))).toEqual([
    64_000, 512_000, 900_000,
  ]);
});

describe("the network of a client", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2"],
    ["2001:db8:1:2::6", "2001:db8:1:2"],
    ["2001:db8::6", "2001:db8:0:0"],
    ["2001:db8::3:4:5:6:7", "2001:db8:0:3"],
    ["::1", "0:0:0:0"],
    ["::", "0:0:0:0"],
    ["", ""],
  ])("%j is %j", (address, expected) => {
    expect(networkOf(address)).toBe(expected);
  });
});
