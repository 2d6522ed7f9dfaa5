import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ApiResponse } from "../support/api/conformance.ts";
import { expectInvalid } from "../support/api/expect-invalid.ts";
import { api } from "../support/api/target.ts";
import {
  adminToken,
  newAccount,
  type TestAccount,
  withAccount,
  withToken,
} from "../support/data/accounts.ts";

const WRONG = { detail: "Incorrect username or password" };

function logIn({ username, password }: Pick<TestAccount, "username" | "password">): Promise<ApiResponse> {
  return api.post("/auth/login", undefined, { query: { username, password } });
}

describe("POST /users/", () => {
  it("returns the submitted data without the password", async () => {
    const account = newAccount();
    const user = {
      ...account,
      email: account.email.toUpperCase(),
      age: 42,
      website: "https://example.com/me",
    };
    const response = await api.post("/users/", user);

    const { username, email, age, website } = user;
    expect([response.status, response.text]).toEqual([
      201,
      JSON.stringify({ username, email, age, website }),
    ]);
    expect(response.headers.get("location")).toBeNull();
  });

  it("returns null for optional fields that are absent or null", async () => {
    for (const optional of [{}, { age: null, website: null }]) {
      const user = newAccount();
      const { status, body } = await api.post("/users/", { ...user, ...optional });
      expect(status).toBe(201);
      expect(body).toEqual({ username: user.username, email: user.email, age: null, website: null });
    }
  });

  it("registers an account of the role user, even if another role is sent", async () => {
    const user = newAccount();
    await api.post("/users/", { ...user, role: "admin", passwordHash: "x", pk: "x", extra: [1] });
    const { body: token } = await logIn(user);

    expect((await api.get("/users/me", withToken(token.access_token))).body).toEqual({
      username: user.username,
      email: user.email,
      role: "user",
    });
  });

  it.each([
    { username: `u${randomUUID().replaceAll("-", "")}`.padEnd(50, "_") },
    { age: 150 },
    { password: `A1${"🧀".repeat(6)}` },
    { password: `A1${"x".repeat(1_022)}` },
  ])("accepts %j, which is just within bounds", async (changes) => {
    const user = { ...newAccount(), ...changes };

    expect((await api.post("/users/", user)).status).toBe(201);
    expect((await logIn(user)).status).toBe(200);
  });

  it.each([
    ["no username", { username: undefined }, "username", "missing"],
    ["a hyphen in the username", { username: "al-ice" }, "username", "invalid_format"],
    ["a line break after the username", { username: "alice\n" }, "username", "invalid_format"],
    ["an e-mail without a domain", { email: "alice@" }, "email", "invalid_format"],
    ["a password of 7 characters, 12 units", { password: `A1${"🧀".repeat(5)}` }, "password", "too_small"],
    ["a password of 1,025 characters", { password: `A1${"x".repeat(1_023)}` }, "password", "too_big"],
    ["a password without a digit", { password: "Password" }, "password", "invalid_format"],
    ["a password without an uppercase letter", { password: "passw0rd" }, "password", "invalid_format"],
    ["an age of 151", { age: 151 }, "age", "too_big"],
    ["an age of 42.5", { age: 42.5 }, "age", "invalid_type"],
    ["a website of another scheme", { website: "ftp://example.com" }, "website", "invalid_format"],
  ])("rejects %s without registering an account", async (_, changes, field, type) => {
    const user = newAccount();

    expectInvalid(await api.post("/users/", { ...user, ...changes }), [`body.${field} ${type}`]);
    expect((await logIn({ ...user, password: "Correct horse 1" })).status).toBe(401);
  });

  it("reports every validation error", async () => {
    expectInvalid(
      await api.post("/users/", { username: "!", email: 1, password: "", age: -1, website: "x" }),
      [
        "body.username too_small",
        "body.username invalid_format",
        "body.email invalid_type",
        "body.password too_small",
        "body.password invalid_format",
        "body.password invalid_format",
        "body.age too_small",
        "body.website invalid_format",
      ],
    );
  });

  it.each([
    ["the username", "username", (user: TestAccount) => ({ ...newAccount(), username: user.username })],
    ["the e-mail", "email", (user: TestAccount) => ({ ...newAccount(), email: user.email })],
    [
      "the e-mail in upper case",
      "email",
      (user: TestAccount) => ({ ...newAccount(), email: user.email.toUpperCase() }),
    ],
    ["both (username first)", "username", (user: TestAccount) => user],
  ] as const)("returns 409 with field and value if %s is taken", async (_, field, second) => {
    const first = await withAccount();
    const user = second(first);
    const { status, body } = await api.post("/users/", { ...user, password: "Another horse 2" });

    expect(status).toBe(409);
    expect(body).toEqual({ error: "Conflict", message: expect.stringContaining(user[field]), field });
    // The first account is unchanged.
    expect((await logIn(first)).status).toBe(200);
    expect((await logIn({ ...user, password: "Another horse 2" })).status).toBe(401);
  });

  it("does not reserve the username or e-mail of a failed registration", async () => {
    const taken = await withAccount();
    const user = newAccount();

    expect((await api.post("/users/", { ...user, email: taken.email })).status).toBe(409);
    expect((await api.post("/users/", { ...user, username: taken.username })).status).toBe(409);
    expect((await api.post("/users/", user)).status).toBe(201);
  });
});

describe("POST /users/batch", () => {
  it.each([1, 25])("registers %i accounts in the order sent", async (count) => {
    const users = Array.from({ length: count }, (_, i) => ({ ...newAccount(), age: i }));
    const { status, body } = await api.post("/users/batch", users);

    expect(status).toBe(201);
    expect(body).toEqual({
      created: count,
      items: users.map(({ username, email, age }) => ({ username, email, age, website: null })),
    });
    expect((await logIn(users.at(-1) as TestAccount)).status).toBe(200);
  });

  it.each([
    ["no user", [], ["body too_small"]],
    ["26 users", Array.from({ length: 26 }, newAccount), ["body too_big"]],
    ["a single user", newAccount(), ["body invalid_type"]],
  ])("rejects %s", async (_, json, expected) => {
    expectInvalid(await api.post("/users/batch", json), expected);
  });

  it("reports every error with its index and registers no account", async () => {
    const good = newAccount();
    const bad = [
      { ...newAccount(), email: "x" },
      { ...newAccount(), username: "a", age: 151 },
    ];

    expectInvalid(await api.post("/users/batch", [good, ...bad]), [
      "body.1.email invalid_format",
      "body.2.username too_small",
      "body.2.age too_big",
    ]);
    expect((await logIn(good)).status).toBe(401);
  });

  const sameUsername = ({ username }: TestAccount) => ({ ...newAccount(), username });
  const sameEmail = ({ email }: TestAccount) => ({ ...newAccount(), email: email.toUpperCase() });

  it.each([
    ["a username within the batch", "username", sameUsername, false],
    ["an e-mail within the batch", "email", sameEmail, false],
    ["a username that is taken", "username", sameUsername, true],
    ["an e-mail that is taken", "email", sameEmail, true],
  ] as const)("returns 409 for %s without registering an account", async (_, field, repeat, isTaken) => {
    const others = [newAccount(), newAccount()];
    const [first = newAccount()] = isTaken ? [await withAccount()] : others;
    const second = repeat(first);
    const { status, body } = await api.post("/users/batch", [...others, second]);

    expect(status).toBe(409);
    expect(body).toEqual({ error: "Conflict", message: expect.stringContaining(second[field]), field });
    for (const other of others) expect((await logIn(other)).status).toBe(401);
  });
});

describe("POST /auth/login", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };

  it("returns a bearer token that must not be cached", async () => {
    const response = await logIn(await withAccount());

    expect(response.status).toBe(200);
    expect(response.body).toEqual({ access_token: expect.any(String), token_type: "bearer" });
  });

  it("accepts any character in a password, in the query and in a form", async () => {
    const user = { ...newAccount(), password: "Aa1 +&=%41?#/\\\"'\u00e9🧀\u0000" };
    await api.post("/users/", user);
    const body = new URLSearchParams({ username: user.username, password: user.password }).toString();

    expect((await logIn(user)).status).toBe(200);
    expect((await api.send("POST", "/auth/login", body, { headers: form })).status).toBe(200);
  });

  it.each<[string, (account: TestAccount) => Pick<TestAccount, "username" | "password">]>([
    ["an unknown user", ({ password }) => ({ username: newAccount().username, password })],
    ["an empty username", ({ password }) => ({ username: "", password })],
    ["a wrong password", ({ username }) => ({ username, password: "Correct horse 2" })],
    ["a lone surrogate", ({ username }) => ({ username, password: "\ud800" })],
    ["the e-mail as username", ({ email, password }) => ({ username: email, password })],
  ])("returns 401 for %s", async (_, wrong) => {
    const { status, body, headers } = await api.post("/auth/login", wrong(await withAccount()));

    expect([status, body]).toEqual([401, WRONG]);
    expect(headers.get("www-authenticate")).toBe("Bearer");
  });
});

it.each(["/users/me", "/admin/users"])("GET %s returns 401 for a long token", async (path) => {
  const { status, body, headers } = await api.get(path, withToken("A".repeat(6_000)));

  expect([status, body]).toEqual([401, { detail: "Could not validate credentials" }]);
  expect(headers.get("www-authenticate")).toBe("Bearer");
});

it("GET /users/me returns the account of the token", async () => {
  const { username, email, token } = await withAccount();
  const { status, text } = await api.get("/users/me", withToken(token));
  expect([status, text]).toEqual([200, JSON.stringify({ username, email, role: "user" })]);
});

it("one's own account gets another password, and is deleted, which both end the tokens from before", async () => {
  const { token, password, ...user } = await withAccount();
  const change = { password, new_password: "Another horse 2" };
  const { status, body } = await api.put("/users/me/password", change, withToken(token));

  expect([status, body]).toEqual([200, { access_token: expect.any(String), token_type: "bearer" }]);
  expect((await api.get("/users/me", withToken(token))).status).toBe(401);
  expect((await logIn({ ...user, password })).status).toBe(401);
  const deletion = (secret: string) =>
    api.post("/users/me/deletion", { password: secret }, withToken(body.access_token));
  expect((await deletion(password)).status).toBe(403);
  expect((await deletion("Another horse 2")).status).toBe(204);
  expect((await deletion("Another horse 2")).status).toBe(401);
  expect((await api.post("/users/", { ...user, password })).status).toBe(409);
  expect((await api.post("/users/", { ...newAccount(), email: user.email })).status).toBe(201);
});

it("GET /admin/users lists all accounts by username, as /users/me returns them", async () => {
  const batch = [newAccount(), newAccount()];
  await api.post("/users/batch", batch);
  const accounts = [await withAccount(), ...batch];
  const { status, body } = await api.get("/admin/users", withToken(await adminToken()));

  expect(status).toBe(200);
  for (const { username, email } of accounts) expect(body).toContainEqual({ username, email, role: "user" });
  const names = body.map(({ username }: TestAccount) => username);
  expect(names).toEqual([...names].sort());
});

it("an Idempotency-Key of an account can be sent with a deeply nested unknown field", async () => {
  const unknown = "[".repeat(100_000) + "]".repeat(100_000);
  const body = JSON.stringify(newAccount()).replace(/}$/, `,"unknown":${unknown}}`);
  const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
  expect((await api.send("POST", "/users/", body, { headers })).status).toBe(201);
  expect((await api.send("POST", "/users/", body, { headers })).status).toBe(201);
});
