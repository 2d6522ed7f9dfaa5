import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ApiResponse } from "../support/api/conformance.ts";
import { expectInvalid } from "../support/api/expect-invalid.ts";
import { api } from "../support/api/target.ts";
import { asAdmin, newAccount, type TestAccount, withAccount, withToken } from "../support/data/accounts.ts";

type Login = Pick<TestAccount, "username" | "password">;

function logIn({ username, password }: Login): Promise<ApiResponse> {
  return api.post("/auth/login", undefined, { query: { username, password } });
}

describe("POST /users/", () => {
  it("returns the submitted data without the password", async () => {
    const { username, password, ...account } = newAccount();
    const user = { username, email: account.email.toUpperCase(), age: 42, website: "https://example.com/me" };
    const { status, text, headers } = await api.post("/users/", { ...user, password });
    expect([status, text]).toEqual([201, JSON.stringify(user)]);
    expect(headers.get("location")).toBeNull();
  });

  it.each([{}, { age: null, website: null }])("returns null for what is not sent: %j", async (optional) => {
    const { password, ...user } = newAccount();
    const { status, body } = await api.post("/users/", { ...user, password, ...optional });
    expect([status, body]).toEqual([201, { ...user, age: null, website: null }]);
  });

  it("registers an account of the role user, even if another role is sent", async () => {
    const { password, ...user } = newAccount();
    await api.post("/users/", { ...user, password, role: "admin", passwordHash: "x", pk: "x", extra: [1] });
    const { body } = await logIn({ ...user, password });
    const { status, text } = await api.get("/users/me", withToken(body.access_token));
    expect([status, text]).toEqual([200, JSON.stringify({ ...user, role: "user" })]);
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
    const user = { username: "!", email: 1, password: "", age: -1, website: "x" };
    expectInvalid(await api.post("/users/", user), [
      ...["body.username too_small", "body.username invalid_format", "body.email invalid_type"],
      ...["body.password too_small", "body.password invalid_format", "body.password invalid_format"],
      ...["body.age too_small", "body.website invalid_format"],
    ]);
  });

  it.each<[string, "username" | "email", (user: TestAccount) => Partial<TestAccount>]>([
    ["the username", "username", ({ username }) => ({ username })],
    ["the e-mail", "email", ({ email }) => ({ email })],
    ["the e-mail in upper case", "email", ({ email }) => ({ email: email.toUpperCase() })],
    ["both (username first)", "username", ({ username, email }) => ({ username, email })],
  ])("returns 409 with field and value if %s is taken", async (_, field, takenFrom) => {
    const [first, other] = [await withAccount(), newAccount()];
    const user = { ...other, ...takenFrom(first), password: "Another horse 2" };
    const { status, body } = await api.post("/users/", user);

    const message = expect.stringContaining(user[field]);
    expect([status, body]).toEqual([409, { error: "Conflict", message, field }]);
    // The first account is unchanged, and the failed registration has reserved nothing.
    expect((await logIn(first)).status).toBe(200);
    expect((await logIn(user)).status).toBe(401);
    expect((await api.post("/users/", other)).status).toBe(201);
  });
});

describe("POST /users/batch", () => {
  it.each([1, 25])("registers %i accounts in the order sent", async (count) => {
    const users = Array.from({ length: count }, (_, i) => ({ ...newAccount(), age: i }));
    const { status, body } = await api.post("/users/batch", users);

    const items = users.map(({ password: _, ...user }) => ({ ...user, website: null }));
    expect([status, body]).toEqual([201, { created: count, items }]);
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

  it.each([
    ["a username within the batch", "username", false],
    ["an e-mail within the batch", "email", false],
    ["a username that is taken", "username", true],
    ["an e-mail that is taken", "email", true],
  ] as const)("returns 409 for %s without registering an account", async (_, field, isTaken) => {
    const others = [newAccount(), newAccount()];
    const [first = newAccount()] = isTaken ? [await withAccount()] : others;
    const second = { ...newAccount(), [field]: first[field] };
    const { status, body } = await api.post("/users/batch", [...others, second]);

    const message = expect.stringContaining(second[field]);
    expect([status, body]).toEqual([409, { error: "Conflict", message, field }]);
    for (const other of others) expect((await logIn(other)).status).toBe(401);
  });
});

it("POST /auth/login returns a token for any character in a password, in the query and in a form", async () => {
  const user = { ...newAccount(), password: "Aa1 +&=%41?#/\\\"'\u00e9🧀\u0000" };
  await api.post("/users/", user);
  const form = new URLSearchParams({ username: user.username, password: user.password }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };

  for (const { status, body } of [
    await logIn(user),
    await api.send("POST", "/auth/login", form, { headers }),
  ])
    expect([status, body]).toEqual([200, { access_token: expect.any(String), token_type: "bearer" }]);
});

it.each<[string, (account: TestAccount) => Login]>([
  ["an unknown user", ({ password }) => ({ username: newAccount().username, password })],
  ["an empty username", ({ password }) => ({ username: "", password })],
  ["a wrong password", ({ username }) => ({ username, password: "Correct horse 2" })],
  ["a lone surrogate", ({ username }) => ({ username, password: "\ud800" })],
  ["the e-mail as username", ({ email, password }) => ({ username: email, password })],
])("POST /auth/login returns 401 for %s", async (_, wrong) => {
  const { status, body, headers } = await api.post("/auth/login", wrong(await withAccount()));

  expect([status, body]).toEqual([401, { detail: "Incorrect username or password" }]);
  expect(headers.get("www-authenticate")).toBe("Bearer");
});

// test/functions/login.test.ts has what ends with the password and the account.
it("one's own account gets another password and a token, and is deleted, except for its username", async () => {
  const { token, password, ...user } = await withAccount();
  const change = { password, new_password: "Another horse 2" };
  const { body } = await api.put("/users/me/password", change, withToken(token));
  expect(body).toEqual({ access_token: expect.any(String), token_type: "bearer" });

  const remove = (token: string) =>
    api.post("/users/me/deletion", { password: change.new_password }, withToken(token));
  expect((await remove(token)).status).toBe(401);
  expect((await remove(body.access_token)).status).toBe(204);
  expect((await api.post("/users/", { ...user, password })).status).toBe(409);
  expect((await api.post("/users/", { ...newAccount(), email: user.email })).status).toBe(201);
});

it("GET /admin/users lists all accounts by username, as /users/me returns them", async () => {
  const accounts = [newAccount(), newAccount()];
  await api.post("/users/batch", accounts);
  const { body } = await api.get("/admin/users", await asAdmin());

  for (const { username, email } of accounts) expect(body).toContainEqual({ username, email, role: "user" });
  const names = body.map(({ username }: TestAccount) => username);
  expect(names).toEqual([...names].sort());
});

it("an Idempotency-Key of an account can be sent with a deeply nested unknown field", async () => {
  const unknown = "[".repeat(100_000) + "]".repeat(100_000);
  const body = JSON.stringify(newAccount()).replace(/}$/, `,"unknown":${unknown}}`);
  const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
  for (const _ of ["first", "again"])
    expect((await api.send("POST", "/users/", body, { headers })).status).toBe(201);
});
