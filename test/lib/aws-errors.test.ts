import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isThrottled, isUnavailable } from "../../lib/aws.ts";

const directory = "node_modules/@smithy/core/dist-es/submodules/retry/service-error-classification";
const source = readFileSync(`${directory}/constants.js`, "utf8");
/** A list of the SDK's, which the package does not export. */
const listed = (name: string): string[] => {
  const [, list = ""] = new RegExp(`${name} = \\[([^\\]]+)\\]`).exec(source) ?? [];
  return [...list.matchAll(/"(\w+)"/g)].map(([, code = ""]) => code);
};
const named = (name: string) => Object.assign(new Error(name), { name });
const coded = (code: string) => Object.assign(new Error(`getaddrinfo ${code}`), { code });

const networkErrors = ["NODEJS_TIMEOUT_ERROR_CODES", "NODEJS_NETWORK_ERROR_CODES"].flatMap(listed).map(coded);
const throttlingErrors = listed("THROTTLING_ERROR_CODES").map(named);

describe("a call of AWS", () => {
  it.each([...networkErrors, ...throttlingErrors, ...listed("TRANSIENT_ERROR_CODES").map(named)])(
    "that ends with %s, which the SDK tries again, was not available",
    (error) => {
      expect(isUnavailable(error)).toBe(true);
      expect(isUnavailable(new Error("failed", { cause: error }))).toBe(!throttlingErrors.includes(error));
    },
  );

  it("is throttled by what the SDK calls so", () => {
    expect(throttlingErrors.length).toBeGreaterThan(10);
    expect(throttlingErrors.filter((error) => !isThrottled(error))).toEqual([]);
    expect(
      [...networkErrors, named("ValidationException"), "ThrottlingException"].filter(isThrottled),
    ).toEqual([]);
  });

  it.each(["ValidationException", "AccessDeniedException", "ResourceNotFoundException"])(
    "that ends with %s was",
    (name) => {
      expect(isUnavailable(named(name))).toBe(false);
    },
  );
});
