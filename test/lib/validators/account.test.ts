import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isUsername, UserCreate } from "../../../lib/validators/account.ts";

const valid = { username: "alice", email: "alice@example.com", password: "Passw0rd" };

function issuesOf(changes: Record<string, unknown>) {
  const result = UserCreate.safeParse({ ...valid, ...changes });
  return result.error?.issues.map((issue) => [issue.path.join("."), issue.code]) ?? [];
}

// The whole-API specs have the bounds.
describe("UserCreate", () => {
  it.each([
    { username: "__proto__" },
    { username: "A_1" },
    { email: "First.Last+tag@Sub.Example.ORG" },
    { email: "ivan@xn--e1afmkfd.xn--p1ai" },
    { email: "!#$%&'*+/=?^_`{|}~-@example.com" },
    { email: `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(58)}.eu` },
    { password: "Пароль12" },
    { password: "A1 \u0000 \n x" },
    { website: `https://${"ä".repeat(2_040)}` },
  ])("accepts %j", (changes) => {
    expect(issuesOf(changes)).toEqual([]);
  });

  it.each([
    ["email", "alice@example"],
    ["email", "älice@example.com"],
    ["email", "al..ice@example.com"],
    ["email", "alice@example.c-"],
    ["password", "Passw0rd\ud800"],
    ["website", "HTTP://example.com"],
  ])("rejects the %s %j", (field, value) => {
    expect(issuesOf({ [field]: value })).toEqual([[field, "invalid_format"]]);
  });

  // A pattern that backtracks would not end before the test's time-out.
  it("looks through megabytes", () => {
    const long = "aA1.@".repeat(1_000_000);
    const issues = issuesOf({ username: long, email: long, password: long, website: long });
    expect(issues.length).toBeGreaterThan(3);
  });
});

it("isUsername agrees with UserCreate", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-zA-Z0-9_]{1,60}$/)), (username) => {
      expect(isUsername(username)).toBe(issuesOf({ username }).length === 0);
    }),
  );
});
