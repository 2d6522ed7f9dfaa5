import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isUsername, UserCreate } from "../../../lib/validators/account.ts";

const valid = { username: "alice", email: "alice@example.com", password: "Passw0rd" };

/** The field and code of each issue. */
function issuesOf(changes: Record<string, unknown>) {
  const result = UserCreate.safeParse({ ...valid, ...changes });
  return result.error?.issues.map((issue) => [issue.path.join("."), issue.code]) ?? [];
}

describe("UserCreate", () => {
  it.each([
    { username: "abc" },
    { username: "a".repeat(50) },
    { username: "_0_" },
    { username: "__proto__" },
    { email: "a@b.co" },
    { email: "First.Last+tag@Sub.Example.ORG" },
    { email: `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(58)}.eu` },
    { password: "ABCDEFG1" },
    { password: `A1${"x".repeat(1_022)}` },
    { password: "Пароль12" },
    { password: "PASSWORD٣" },
    { password: "A1 \u0000 \n x" },
    { password: `A1${"🧀".repeat(6)}` },
    { age: 0 },
    { age: 150 },
    { age: 42.0 },
    { age: null },
    { website: "http://" },
    { website: "https://example.com/ä" },
    { website: `http://${"x".repeat(2_041)}` },
    { website: null },
  ])("accepts %j", (changes) => {
    expect(issuesOf(changes)).toEqual([]);
  });

  it.each([
    [{ username: "ab" }, [["username", "too_small"]]],
    [{ username: "a".repeat(51) }, [["username", "too_big"]]],
    [
      { username: "" },
      [
        ["username", "too_small"],
        ["username", "invalid_format"],
      ],
    ],
    [{ username: "al-ice" }, [["username", "invalid_format"]]],
    [{ username: "alice\n" }, [["username", "invalid_format"]]],
    [{ username: "älice" }, [["username", "invalid_format"]]],
    [{ username: 5 }, [["username", "invalid_type"]]],
    [{ email: "alice" }, [["email", "invalid_format"]]],
    [{ email: "alice@example" }, [["email", "invalid_format"]]],
    [{ email: "a lice@example.com" }, [["email", "invalid_format"]]],
    [{ email: "älice@example.com" }, [["email", "invalid_format"]]],
    [{ email: "" }, [["email", "invalid_format"]]],
    [{ email: null }, [["email", "invalid_type"]]],
    [{ email: `${"a".repeat(243)}@example.com` }, [["email", "too_big"]]],
    [{ password: "ABCDEF1" }, [["password", "too_small"]]],
    [{ password: `A1${"🧀".repeat(5)}` }, [["password", "too_small"]]],
    [{ password: "Password" }, [["password", "invalid_format"]]],
    [{ password: "passw0rd" }, [["password", "invalid_format"]]],
    [
      { password: "short" },
      [
        ["password", "too_small"],
        ["password", "invalid_format"],
        ["password", "invalid_format"],
      ],
    ],
    [{ password: `A1${"x".repeat(1_023)}` }, [["password", "too_big"]]],
    [{ password: "Passw0rd\ud800" }, [["password", "invalid_format"]]],
    [{ password: 12345678 }, [["password", "invalid_type"]]],
    [{ age: -1 }, [["age", "too_small"]]],
    [{ age: 151 }, [["age", "too_big"]]],
    [{ age: 1.5 }, [["age", "invalid_type"]]],
    [{ age: "42" }, [["age", "invalid_type"]]],
    [{ age: true }, [["age", "invalid_type"]]],
    [{ website: "ftp://example.com" }, [["website", "invalid_format"]]],
    [{ website: "HTTP://example.com" }, [["website", "invalid_format"]]],
    [{ website: "" }, [["website", "invalid_format"]]],
    [{ website: `http://${"x".repeat(2_042)}` }, [["website", "too_big"]]],
    [
      { username: "!", email: "x", password: "", age: -1, website: "x" },
      expect.arrayContaining([["website", "invalid_format"]]),
    ],
  ])("rejects %j", (changes, expected) => {
    expect(issuesOf(changes)).toEqual(expected);
  });

  it("requires username, e-mail and password", () => {
    const { error } = UserCreate.safeParse({});

    expect(error?.issues.map(({ path }) => path)).toEqual([["username"], ["email"], ["password"]]);
  });

  it("never repeats the value in its messages", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 20 }), (text) => {
        const marked = `\u2603${text}`;
        const { error } = UserCreate.safeParse({
          username: marked,
          email: marked,
          password: marked,
          website: marked,
        });
        const messages = error?.issues.map(({ message }) => message) ?? [];
        expect(messages.filter((message) => message.includes("\u2603"))).toEqual([]);
        expect(messages.length).toBeGreaterThan(0);
      }),
    );
  });

  // A pattern that backtracks would not end before the test's time-out.
  it("looks through megabytes", () => {
    const long = "aA1.@".repeat(1_000_000);

    expect(issuesOf({ username: long, email: long, password: long, website: long }).length).toBeGreaterThan(
      3,
    );
  });
});

it("isUsername agrees with UserCreate", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-zA-Z0-9_]{1,60}$/)), (username) => {
      expect(isUsername(username)).toBe(issuesOf({ username }).length === 0);
    }),
  );
});
