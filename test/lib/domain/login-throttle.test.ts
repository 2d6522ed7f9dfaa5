import { expect, it } from "vitest";
import { networkOf } from "../../../lib/domain/login-throttle.ts";

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0DB8:0001:0002::", "2001:db8:1:2"],
  ["2001:db8::3:4:5:6:7", "2001:db8:0:3"],
  ["::", "0:0:0:0"],
  ["", ""],
])("the network of the client %j is %j", (address, expected) => {
  expect(networkOf(address)).toBe(expected);
});
