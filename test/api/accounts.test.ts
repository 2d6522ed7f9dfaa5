import { describe, expect, it } from "vitest";
import { adminToken, bearing, type Somebody, somebody, withAccount } from "../support/accounts.ts";
import type { ApiResponse } from "../support/conformance.ts";
import { api } from "../support/target.ts";

const WRONG = { detail: "Incorrect username or password" };

function logIn({ username, password }: Pick<Somebody, "username" | "password">): Promise<ApiResponse> {
  return api.post("/auth/login", undefined, { query: { username, password } });
}

/** The places and kinds of the mistakes that a 422 lists. */
function mistakes({ status, body }: ApiResponse): [string, string][] {
  expect(status).toBe(422);
  expect(body).toEqual({
    error: "ValidationError",
    message: "Request validation failed",
    details: expect.any(Array),
  });
  return body.details.map(({ field, type }: Record<string, string>) => [field, type]);
}

/** All usernames that the administrator sees. */
async function usernames(): Promise<string[]> {
  const { body } = await api.get("/admin/users", bearing(await adminToken()));
  return body.map(({ username }: Somebody) => username);
}

describe("POST /users/", () => {
  it("answers the submitted data without the password", async () => {
    const user = { ...somebody(), age: 42, website: "https://example.com/me" };
    const response = await api.post("/users/", user);

    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      username: user.username,
      email: user.email,
      age: 42,
      website: user.website,
    });
    expect(Object.keys(response.body)).toEqual(["username", "email", "age", "website"]);
    expect(response.headers.get("location")).toBeNull();
  });

  it.each([
    ["absent", {}],
    ["null", { age: null, website: null }],
  ])("answers null for what is %s", async (_, optional) => {
    const user = somebody();
    const { status, body } = await api.post("/users/", { ...user, ...optional });

    expect(status).toBe(201);
    expect(body).toEqual({ username: user.username, email: user.email, age: null, website: null });
  });

  it("registers an account of the role user, whatever role is asked for", async () => {
    const user = somebody();
    await api.post("/users/", { ...user, role: "admin", passwordHash: "x", pk: "x", extra: [1] });
    const { body: token } = await logIn(user);

    expect((await api.get("/users/me", bearing(token.access_token))).body).toEqual({
      username: user.username,
      email: user.email,
      role: "user",
    });
  });

  it("keeps the e-mail as it was written", async () => {
    const user = somebody();
    const email = user.email.toUpperCase();

    expect((await api.post("/users/", { ...user, email })).body.email).toBe(email);
  });

  it.each([
    { age: 0 },
    { age: 150 },
    { website: "http://" },
    { password: "ABCDEFG1" },
    { password: `A1${"🧀".repeat(6)}` },
    { password: `A1${"x".repeat(1_022)}` },
  ])("takes %j, which is just within bounds", async (changes) => {
    const user = { ...somebody(), ...changes };

    expect((await api.post("/users/", user)).status).toBe(201);
    expect((await logIn(user)).status).toBe(200);
  });

  it("takes usernames of 3 and of 50 characters", async () => {
    const user = somebody();
    expect((await api.post("/users/", { ...user, username: user.username.padEnd(50, "_") })).status).toBe(
      201,
    );
    // Others may have this one already; what counts is that it is valid.
    expect([201, 409]).toContain((await api.post("/users/", { ...somebody(), username: "A_1" })).status);
  });

  it.each([
    ["no username", { username: undefined }, [["body.username", "missing"]]],
    ["a username of 2", { username: "ab" }, [["body.username", "too_small"]]],
    ["a username of 51", { username: "a".repeat(51) }, [["body.username", "too_big"]]],
    ["a hyphen in the username", { username: "al-ice" }, [["body.username", "invalid_format"]]],
    ["a letter beyond ASCII in the username", { username: "älice" }, [["body.username", "invalid_format"]]],
    ["a line break after the username", { username: "alice\n" }, [["body.username", "invalid_format"]]],
    ["no e-mail", { email: undefined }, [["body.email", "missing"]]],
    ["an e-mail without @", { email: "alice.example.com" }, [["body.email", "invalid_format"]]],
    ["an e-mail without a domain", { email: "alice@" }, [["body.email", "invalid_format"]]],
    ["an e-mail of 255", { email: `${"a".repeat(243)}@example.com` }, [["body.email", "too_big"]]],
    ["no password", { password: undefined }, [["body.password", "missing"]]],
    ["a password of 7", { password: "ABCDEF1" }, [["body.password", "too_small"]]],
    [
      "a password of 7 characters in 12 code units",
      { password: `A1${"🧀".repeat(5)}` },
      [["body.password", "too_small"]],
    ],
    ["a password of 1,025", { password: `A1${"x".repeat(1_023)}` }, [["body.password", "too_big"]]],
    ["a password without a digit", { password: "Password" }, [["body.password", "invalid_format"]]],
    [
      "a password without an uppercase letter",
      { password: "passw0rd" },
      [["body.password", "invalid_format"]],
    ],
    [
      "a password with every mistake",
      { password: "" },
      [
        ["body.password", "too_small"],
        ["body.password", "invalid_format"],
        ["body.password", "invalid_format"],
      ],
    ],
    ["a password that is a number", { password: 12345678 }, [["body.password", "invalid_type"]]],
    ["an age of -1", { age: -1 }, [["body.age", "too_small"]]],
    ["an age of 151", { age: 151 }, [["body.age", "too_big"]]],
    ["an age of 42.5", { age: 42.5 }, [["body.age", "invalid_type"]]],
    ["an age that is a text", { age: "42" }, [["body.age", "invalid_type"]]],
    ["an age that is a boolean", { age: true }, [["body.age", "invalid_type"]]],
    ["a website of another scheme", { website: "ftp://example.com" }, [["body.website", "invalid_format"]]],
    ["an empty website", { website: "" }, [["body.website", "invalid_format"]]],
    ["a website of 2,049", { website: `http://${"x".repeat(2_042)}` }, [["body.website", "too_big"]]],
  ])("refuses %s, and registers nobody", async (_, changes, expected) => {
    const user = somebody();

    expect(mistakes(await api.post("/users/", { ...user, ...changes }))).toEqual(expected);
    expect((await logIn({ ...user, password: "Correct horse 1" })).status).toBe(401);
  });

  it("lists every mistake", async () => {
    const found = mistakes(
      await api.post("/users/", { username: "!", email: 1, password: "x", age: -1, website: "x" }),
    );

    expect(new Set(found.map(([field]) => field))).toEqual(
      new Set(["body.username", "body.email", "body.password", "body.age", "body.website"]),
    );
  });

  it.each([
    ["a list", "[]", [["body", "invalid_type"]]],
    ["null", "null", [["body", "invalid_type"]]],
    ["nothing", "", [["body", "missing"]]],
    ["broken JSON", "{", [["body", "json_invalid"]]],
    ["a form", "username=alice", [["body", "json_invalid"]]],
    ["bytes", new Uint8Array([0xff, 0xfe]), [["body", "utf8_invalid"]]],
    [
      "a prototype",
      '{"__proto__":{"username":"alice"}}',
      expect.arrayContaining([["body.username", "missing"]]),
    ],
  ])("refuses a body that is %s", async (_, body, expected) => {
    expect(mistakes(await api.send("POST", "/users/", body))).toEqual(expected);
  });

  it.each([
    ["the username", "username", (user: Somebody) => ({ ...somebody(), username: user.username })],
    ["the e-mail", "email", (user: Somebody) => ({ ...somebody(), email: user.email })],
    [
      "the e-mail in capitals",
      "email",
      (user: Somebody) => ({ ...somebody(), email: user.email.toUpperCase() }),
    ],
    ["both, username first,", "username", (user: Somebody) => user],
  ] as const)("answers 409 when %s is taken, naming field and value", async (_, field, second) => {
    const first = await withAccount();
    const user = second(first);
    const { status, body } = await api.post("/users/", { ...user, password: "Another horse 2" });

    expect(status).toBe(409);
    expect(body).toEqual({ error: "Conflict", message: expect.stringContaining(user[field]), field });
    // The account is still whose it was.
    expect((await logIn(first)).status).toBe(200);
    expect((await logIn({ ...user, password: "Another horse 2" })).status).toBe(401);
  });

  it("does not hold the username or the e-mail of one that was refused", async () => {
    const taken = await withAccount();
    const user = somebody();

    expect((await api.post("/users/", { ...user, email: taken.email })).status).toBe(409);
    expect((await api.post("/users/", { ...user, username: taken.username })).status).toBe(409);
    expect((await api.post("/users/", user)).status).toBe(201);
  });

  it("tells usernames apart by their letters' case", async () => {
    const { username } = await withAccount();

    expect((await api.post("/users/", { ...somebody(), username: username.toUpperCase() })).status).toBe(201);
  });

  it("lets just one of many at once succeed", async () => {
    const user = somebody();
    const responses = await Promise.all(Array.from({ length: 5 }, () => api.post("/users/", user)));

    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });
});

describe("POST /users/batch", () => {
  it.each([1, 3, 25])("registers %i at once, in their order", async (count) => {
    const users = Array.from({ length: count }, (_, i) => ({ ...somebody(), age: i }));
    const { status, body } = await api.post("/users/batch", users);

    expect(status).toBe(201);
    expect(body).toEqual({
      created: count,
      items: users.map(({ username, email, age }) => ({ username, email, age, website: null })),
    });
    expect((await logIn(users.at(-1) as Somebody)).status).toBe(200);
  });

  it.each([
    ["no user", [], [["body", "too_small"]]],
    ["26 users", Array.from({ length: 26 }, somebody), [["body", "too_big"]]],
    ["no list", {}, [["body", "invalid_type"]]],
    ["a user alone", somebody(), [["body", "invalid_type"]]],
    ["null", null, [["body", "invalid_type"]]],
    ["a number in the list", [1], [["body.0", "invalid_type"]]],
  ])("refuses %s", async (_, json, expected) => {
    expect(mistakes(await api.post("/users/batch", json))).toEqual(expected);
  });

  it("refuses a hundred thousand users without listing each", async () => {
    expect(
      mistakes(
        await api.post(
          "/users/batch",
          Array.from({ length: 100_000 }, () => 0),
        ),
      ),
    ).toEqual([["body", "too_big"]]);
  });

  it("says where each mistake is, and registers nobody", async () => {
    const good = somebody();
    const bad = [
      { ...somebody(), email: "x" },
      { ...somebody(), username: "a", age: 151 },
    ];

    expect(mistakes(await api.post("/users/batch", [good, ...bad]))).toEqual([
      ["body.1.email", "invalid_format"],
      ["body.2.username", "too_small"],
      ["body.2.age", "too_big"],
    ]);
    expect((await logIn(good)).status).toBe(401);
  });

  it.each([
    ["a username within the batch", "username", (a: Somebody) => ({ ...somebody(), username: a.username })],
    [
      "an e-mail within the batch",
      "email",
      (a: Somebody) => ({ ...somebody(), email: a.email.toUpperCase() }),
    ],
  ] as const)("answers 409 for %s, and registers nobody", async (_, field, repeat) => {
    const first = somebody();
    const second = repeat(first);
    const { status, body } = await api.post("/users/batch", [first, somebody(), second]);

    expect(status).toBe(409);
    expect(body).toEqual({ error: "Conflict", message: expect.stringContaining(second[field]), field });
    expect((await logIn(first)).status).toBe(401);
  });

  it.each([
    ["a username", "username", (taken: Somebody) => ({ ...somebody(), username: taken.username })],
    ["an e-mail", "email", (taken: Somebody) => ({ ...somebody(), email: taken.email.toUpperCase() })],
  ] as const)("answers 409 for %s that is taken already, and registers nobody", async (_, field, repeat) => {
    const others = [somebody(), somebody()];
    const second = repeat(await withAccount());
    const { status, body } = await api.post("/users/batch", [...others, second]);

    expect(status).toBe(409);
    expect(body).toEqual({ error: "Conflict", message: expect.stringContaining(second[field]), field });
    for (const other of others) expect((await logIn(other)).status).toBe(401);
  });
});

describe("POST /auth/login", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };

  it("answers a bearer token that no cache keeps", async () => {
    const response = await logIn(await withAccount());

    expect(response.status).toBe(200);
    expect(response.body).toEqual({ access_token: expect.any(String), token_type: "bearer" });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("answers an HS256 token of the username for 30 minutes", async () => {
    const { username, token } = await withAccount();
    const [header, claims] = token
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));

    expect(header.alg).toBe("HS256");
    expect(Object.keys(claims).sort()).toEqual(["exp", "sub"]);
    expect(claims.sub).toBe(username);
    expect(Math.abs(claims.exp - Date.now() / 1_000 - 1_800)).toBeLessThan(60);
  });

  it("takes a JSON body", async () => {
    const { username, password } = await withAccount();

    expect((await api.post("/auth/login", { username, password })).status).toBe(200);
    expect((await api.post("/auth/login", { username, password: `${password}!` })).status).toBe(401);
  });

  it("takes a form body", async () => {
    const { username, password } = await withAccount();
    const body = (text: string) => new URLSearchParams({ username, password: text }).toString();

    expect((await api.send("POST", "/auth/login", body(password), { headers: form })).status).toBe(200);
    expect((await api.send("POST", "/auth/login", body(`${password}!`), { headers: form })).status).toBe(401);
  });

  it("takes every character of a password, in the query and in a form", async () => {
    const user = { ...somebody(), password: "Aa1 +&=%41?#/\\\"'\u00e9🧀\u0000" };
    await api.post("/users/", user);
    const body = new URLSearchParams({ username: user.username, password: user.password }).toString();

    expect((await logIn(user)).status).toBe(200);
    expect((await api.send("POST", "/auth/login", body, { headers: form })).status).toBe(200);
  });

  it("takes the query before the body, and what the query lacks from the body", async () => {
    const { username, password } = await withAccount();
    const wrong = { username: "nobody", password: "nothing" };

    expect((await api.post("/auth/login", wrong, { query: { username, password } })).status).toBe(200);
    expect((await api.post("/auth/login", { username, password }, { query: wrong })).status).toBe(401);
    expect((await api.post("/auth/login", { password }, { query: { username } })).status).toBe(200);
    expect((await api.send("POST", "/auth/login", "{", { query: { username, password } })).status).toBe(200);
  });

  it.each([
    ["an unknown user", ({ password }: Somebody) => ({ username: somebody().username, password })],
    ["what is no username", ({ password }: Somebody) => ({ username: "😀".repeat(1_000), password })],
    ["no name", ({ password }: Somebody) => ({ username: "", password })],
    ["a wrong password", ({ username }: Somebody) => ({ username, password: "Correct horse 2" })],
    ["an empty password", ({ username }: Somebody) => ({ username, password: "" })],
    [
      "a password in another case",
      ({ username, password }: Somebody) => ({ username, password: password.toUpperCase() }),
    ],
    ["a password and more", ({ username, password }: Somebody) => ({ username, password: `${password} ` })],
    ["a password of a megabyte", ({ username }: Somebody) => ({ username, password: "x".repeat(1_000_000) })],
    ["a lone surrogate", ({ username }: Somebody) => ({ username, password: "\ud800" })],
    [
      "the username in another case",
      ({ username, password }: Somebody) => ({ username: username.toUpperCase(), password }),
    ],
    ["the e-mail for the username", ({ email, password }: Somebody) => ({ username: email, password })],
  ])("answers 401 for %s", async (_, wrong) => {
    const { status, body, headers } = await api.post("/auth/login", wrong(await withAccount()));

    expect(status).toBe(401);
    expect(body).toEqual(WRONG);
    expect(headers.get("www-authenticate")).toBe("Bearer");
  });

  it.each([
    [
      "everything",
      {},
      undefined,
      [
        ["query.username", "missing"],
        ["query.password", "missing"],
      ],
    ],
    ["the password", { username: "alice" }, undefined, [["query.password", "missing"]]],
    ["the username", { password: "x" }, {}, [["query.username", "missing"]]],
    ["a text for the password", { username: "alice" }, { password: 5 }, [["body.password", "invalid_type"]]],
    [
      "an object as the body",
      { username: "alice" },
      [],
      [
        ["query.password", "missing"],
        ["body", "invalid_type"],
      ],
    ],
  ])("answers 422 without %s", async (_, query, json, expected) => {
    expect(mistakes(await api.post("/auth/login", json, { query }))).toEqual(expected);
  });

  it.each([
    ["an account", withAccount],
    ["a username that nobody has", async () => somebody()],
  ])("slows down for %s after many failures, whatever the password", async (_, whose) => {
    const user = await whose();
    const wrong = { username: user.username, password: "Wrong horse 1" };
    const volley = await Promise.all(Array.from({ length: 20 }, () => logIn(wrong)));
    for (const { status } of volley) expect([401, 429]).toContain(status);

    for (const attempt of [wrong, user]) {
      const { status, body, headers } = await logIn(attempt);
      const seconds = headers.get("retry-after");
      expect(status).toBe(429);
      expect(body).toEqual({ detail: `Too many failed logins, please try again in ${seconds} s` });
      expect(Number(seconds)).toBeGreaterThanOrEqual(1);
      expect(Number(seconds)).toBeLessThanOrEqual(30);
    }
    // Nobody else is slowed down.
    expect((await logIn(await withAccount())).status).toBe(200);
  });

  it("forgets failures when the password is right", async () => {
    const user = await withAccount();
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 3; i += 1)
        expect((await logIn({ ...user, password: "Wrong horse 1" })).status).toBe(401);
      expect((await logIn(user)).status).toBe(200);
    }
  });

  it("takes the last one of a parameter that is given twice", async () => {
    const { username, password } = await withAccount();

    expect(
      (await api.post("/auth/login", undefined, { query: { username: ["nobody", username], password } }))
        .status,
    ).toBe(200);
  });
});

describe.each(["/users/me", "/admin/users"])("GET %s", (path) => {
  it.each([
    ["no header", undefined],
    ["an empty header", ""],
    ["another scheme", "Basic dXNlcjpwYXNz"],
    ["no token", "Bearer"],
    ["two tokens", "Bearer a b"],
    ["garbage", "Bearer garbage"],
    ["three dots", "Bearer ..."],
    ["a long token", `Bearer ${"A".repeat(6_000)}`],
    [
      "a token of the algorithm none",
      "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiIsImV4cCI6OTk5OTk5OTk5OX0.",
    ],
    [
      "a token that somebody else signed",
      "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZG1pbiIsImV4cCI6OTk5OTk5OTk5OX0.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ],
  ])("answers 401 for %s", async (_, authorization) => {
    const { status, body, headers } = await api.get(
      path,
      authorization === undefined ? {} : { headers: { authorization } },
    );

    expect(status).toBe(401);
    expect(body).toEqual({ detail: "Could not validate credentials" });
    expect(headers.get("www-authenticate")).toBe("Bearer");
  });

  it("answers 401 for a token of which anything was changed", async () => {
    const [header = "", claims = "", signature = ""] = (await withAccount()).token.split(".");
    const forged = Buffer.from(JSON.stringify({ sub: "admin", exp: 9_999_999_999 })).toString("base64url");

    for (const token of [
      `${header}.${forged}.${signature}`,
      `${header}.${claims}.${signature.slice(1)}`,
      `${header}.${claims}.`,
      `${header}.${claims}`,
    ])
      expect((await api.get(path, bearing(token))).status).toBe(401);
  });
});

describe("GET /users/me", () => {
  it.each(["Bearer", "bearer"])("answers the account of the %s token", async (scheme) => {
    const { username, email, token } = await withAccount();
    const { status, body } = await api.get("/users/me", { headers: { authorization: `${scheme} ${token}` } });

    expect(status).toBe(200);
    expect(body).toEqual({ username, email, role: "user" });
    expect(Object.keys(body)).toEqual(["username", "email", "role"]);
  });

  it("answers the administrator's role", async () => {
    expect((await api.get("/users/me", bearing(await adminToken()))).body).toMatchObject({ role: "admin" });
  });
});

describe("GET /admin/users", () => {
  it("lists all accounts by username, and of each what /users/me shows", async () => {
    const some = await withAccount();
    const { status, body } = await api.get("/admin/users", bearing(await adminToken()));

    expect(status).toBe(200);
    expect(body).toContainEqual({ username: some.username, email: some.email, role: "user" });
    const names = body.map(({ username }: Somebody) => username);
    expect(names).toEqual([...names].sort());
  });

  it("has who registered a moment ago, alone or in a batch", async () => {
    const batch = [somebody(), somebody()];
    await api.post("/users/batch", batch);
    const { username } = await withAccount();

    expect(await usernames()).toEqual(
      expect.arrayContaining([username, ...batch.map((user) => user.username)]),
    );
  });

  it("answers 403 to who is no administrator", async () => {
    const { token } = await withAccount();
    const { status, body } = await api.get("/admin/users", bearing(token));

    expect(status).toBe(403);
    expect(body).toEqual({ detail: "Admin access required" });
  });
});
