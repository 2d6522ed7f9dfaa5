import { ApiError, createClient } from "resource-api";
import { describe, expect, it } from "vitest";
import { operation, response } from "../support/infra/openapi.ts";
import { routes } from "../support/own-access.ts";

const baseUrl = "https://api.example.com";

/** A client that records its requests, and gets the given responses instead of sending them. */
function createRecordingClient(
  options: Partial<Parameters<typeof createClient>[0]> = {},
  ...responses: (Response | Error)[]
) {
  const sent: Request[] = [];
  const waits: number[] = [];
  const fetch = async (request: Request) => {
    sent.push(request);
    const response = responses.shift() ?? Response.json({});
    if (response instanceof Error) throw response;
    return response;
  };
  const wait = async (seconds: number) => {
    waits.push(seconds);
  };
  return { api: createClient({ baseUrl, fetch, wait, ...options }), sent, waits };
}

/** The client for operations that the service need not have. */
function anyPath(api: unknown) {
  type Call<R> = (path: string, init: object) => R;
  return api as Record<"GET" | "PATCH", Call<Promise<unknown>>> & { paginate: Call<AsyncIterable<unknown>> };
}

describe("a request of the client", () => {
  it("has the current token and the API key", async () => {
    let token: string | undefined;
    const { api, sent } = createRecordingClient({ token: async () => token, apiKey: "key" });
    await api.GET("/admin/users");
    token = "second";
    await api.GET("/admin/users");

    const sentHeaders = (name: string) => sent.map(({ headers }) => headers.get(name));
    expect(sentHeaders("authorization")).toEqual([null, "Bearer second"]);
    expect(sentHeaders("x-api-key")).toEqual(["key", "key"]);
  });

  it("encodes paths, queries and bodies", async () => {
    const { api, sent } = createRecordingClient();
    await anyPath(api).GET("/users", { params: { query: { fields: ["id", "name"], name: "a b&c" } } });
    await anyPath(api).PATCH("/users/{id}", { params: { path: { id: 7 } }, body: { age: 37 } });
    await api.POST("/users/", { body: { username: "ada", email: "a@b.com", password: "Analytical1" } });

    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${baseUrl}/users?fields=id&fields=name&name=a%20b%26c`,
      `PATCH ${baseUrl}/users/7`,
      `POST ${baseUrl}/users/`,
    ]);
    expect(await sent[2]?.json()).toMatchObject({ username: "ada" });
  });
});

it.each([
  ["JSON", Response.json([{ id: 1 }]), [{ id: 1 }]],
  ["JSON null", Response.json(null), null],
  ["text", new Response("true", { headers: { "content-type": "text/plain; charset=utf-8" } }), "true"],
  ["nothing", new Response(null, { status: 204 }), undefined],
  ["an empty body", new Response(""), undefined],
])("a success of %s has it as data", async (_, response, data) => {
  const { api } = createRecordingClient({}, response);
  const result = await api.GET("/admin/users");
  expect(result.data).toEqual(data);
  expect(result).not.toHaveProperty("error");
  expect(result.response.ok).toBe(true);
});

const documentedErrors = routes.flatMap(({ key }) =>
  Object.keys(operation(key).responses)
    .map(Number)
    .filter((status) => status >= 400)
    .flatMap((status) => {
      const { example, examples = {} } = response(key, status).content?.["application/json"] ?? {};
      const bodies = [example, ...Object.values(examples).map(({ value }) => value)];
      const known = bodies.filter((body) => body !== undefined);
      return (known.length === 0 ? [undefined] : known).map((body) => ({ status, body }));
    }),
);

describe("an error", () => {
  const taken = { message: "The username is taken", field: "username" };
  const message = "Request validation failed";
  const missing = [{ field: "body.title", message: "Required", type: "missing" }];

  it.each([
    [400, { error: "name: Required" }, { code: "InvalidArgument", message: "name: Required" }],
    [404, { detail: "User not found" }, { code: "NotFound", message: "User not found" }],
    [404, { success: false, data: null, error: "User not found" }, { message: "User not found" }],
    [404, undefined, { code: "NotFound", message: "404 NotFound", fields: [] }],
    [409, { error: "Conflict", ...taken }, { code: "Conflict", message: taken.message }],
    [409, { error: "Conflict", ...taken }, { fields: [{ ...taken, type: "conflict" }] }],
    [422, { error: "ValidationError", message, details: missing }, { code: "ValidationError", message }],
    [422, { error: "ValidationError", message, details: missing }, { fields: missing }],
    [422, { errors: missing }, { fields: missing }],
    [413, { message: "Request Entity Too Large" }, { code: "ContentTooLarge" }],
    [418, "<h1>A proxy</h1>", { code: "Other", message: "418 Other", fields: [] }],
  ])("%i with the body %j is an ApiError", async (status, body, expected) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const { api } = createRecordingClient({}, new Response(text, { status }));
    const { data, error, response } = await api.GET("/admin/users");

    expect(data).toBeUndefined();
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ status, ...expected });
    expect(response.status).toBe(status);
  });

  it("of any operation in the document has a code and a message", () => {
    const messages = documentedErrors.map(({ status, body }) => {
      const error = new ApiError(new Response(null, { status }), body);
      return error.code === "Other" || (body !== undefined && error.message === `${status} ${error.code}`)
        ? body
        : error.message;
    });

    expect(documentedErrors.length).toBeGreaterThan(100);
    expect(messages.filter((message) => typeof message !== "string" || message === "")).toEqual([]);
  });

  it.each([
    [
      { "retry-after": "7", "x-request-id": "abc" },
      { retryAfter: 7, requestId: "abc" },
    ],
    [{}, { retryAfter: undefined, requestId: undefined }],
    [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, { retryAfter: 0 }],
  ])("takes over the headers %j", (headers, expected) => {
    expect(new ApiError(new Response("", { status: 503, headers: { ...headers } }), undefined)).toMatchObject(
      expected,
    );
  });
});

function page(records: unknown, link?: string) {
  return Response.json(records, link === undefined ? {} : { headers: { link } });
}

async function collect<T>(records: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const each of records) collected.push(each);
  return collected;
}

describe("paginate", () => {
  it("yields the records of all pages, also after an empty page", async () => {
    const { api, sent } = createRecordingClient(
      { token: "token" },
      page([{ id: 1 }, { id: 2 }], '</admin/users?limit=2&cursor=a%3D>; rel="next"'),
      page([], '</admin/users?limit=2&cursor=b>; rel="next", </admin/users?limit=2>; rel="first"'),
      page([{ id: 3 }], '</admin/users?limit=2>; rel="first"'),
    );
    const init = { params: { query: { limit: 2 } }, headers: { traceparent: "00" } };

    expect(await collect(api.paginate("/admin/users", init))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(sent.map(({ url }) => url)).toEqual([
      `${baseUrl}/admin/users?limit=2`,
      `${baseUrl}/admin/users?limit=2&cursor=a%3D`,
      `${baseUrl}/admin/users?limit=2&cursor=b`,
    ]);
    for (const { headers } of sent)
      expect([headers.get("authorization"), headers.get("traceparent")]).toEqual(["Bearer token", "00"]);
  });

  it("requests a page only when it is needed", async () => {
    const users = [{ username: "ada" }, { username: "bob" }];
    const { api, sent } = createRecordingClient({}, page(users, "</admin/users>; rel=next"));
    for await (const { username } of api.paginate("/admin/users")) if (username === "bob") break;
    expect(sent).toHaveLength(1);
  });

  it("reads envelopes, and sends the version with each page", async () => {
    const next = '</admin/users?page=2&limit=1>; rel="next"';
    const { api, sent } = createRecordingClient(
      {},
      page({ version: "1.0", users: [{ id: 1 }] }, next),
      page({ version: "1.0", users: [{ id: 2 }] }),
      page({ page: 1, size: 1, total: 1, items: [{ id: 3 }] }),
    );
    const init = { params: { query: { limit: 1 }, header: { "api-version": "1.0" } } };

    expect(await collect(anyPath(api).paginate("/users", init))).toEqual([{ id: 1 }, { id: 2 }]);
    expect(sent.map(({ headers }) => headers.get("api-version"))).toEqual(["1.0", "1.0"]);
    expect(await collect(anyPath(api).paginate("/users", init))).toEqual([{ id: 3 }]);
  });

  // A proxy may add a prefix to all paths.
  it.each([
    [`<${baseUrl}/admin/users?cursor=a>; rel="next"`, "", ["?cursor=a"]],
    ['<?cursor=a,b>; title="x"; rel="prev next"', "", ["?cursor=a,b"]],
    ['</admin/users?cursor=first>; rel="first", </admin/users?cursor=a>; REL=next', "", ["?cursor=a"]],
    ['<?cursor=a>; rel="next"', "/shop", ["?cursor=a"]],
    ['</admin/users?cursor=a>; rel="prev"', "", []],
    ['</admin/users?rel="next">; rel="last"', "", []],
    ['</a>; rel="nextcloud"', "", []],
  ])("of %s behind the prefix %j follows %j", async (link, prefix, followed) => {
    const url = baseUrl + prefix;
    const { api, sent } = createRecordingClient({ baseUrl: url }, page([], link), page([]));
    await collect(api.paginate("/admin/users"));
    const expected = followed.map((query) => `${url}/admin/users${query}`);
    expect(sent.slice(1).map((request) => request.url)).toEqual(expected);
  });

  const foreign = ["https://elsewhere.example", "//elsewhere.example", "http://api.example.com"];
  it.each(foreign)("sends no credentials to another origin: %s", async (origin) => {
    const first = page([], `<${origin}/users>; rel="next"`);
    const { api, sent } = createRecordingClient({ token: "token" }, first);
    await expect(collect(api.paginate("/admin/users"))).rejects.toThrow("another origin");
    expect(sent).toHaveLength(1);
  });

  it("throws the error of a page, after the records before it", async () => {
    const failed = Response.json({ error: "Try later" }, { status: 503 });
    const first = page([{ id: 1 }], '</admin/users?cursor=a>; rel="next"');
    const { api } = createRecordingClient({}, first, failed);
    const users = api.paginate("/admin/users");

    expect(await users.next()).toEqual({ done: false, value: { id: 1 } });
    await expect(users.next()).rejects.toMatchObject({ name: "ApiError", status: 503, message: "Try later" });
  });

  it("fails instead of ending early, if the browser hides Link", async () => {
    const hidden = page([{ id: 1 }]);
    Object.defineProperty(hidden, "type", { value: "cors" });
    const { api } = createRecordingClient({}, hidden);
    await expect(collect(api.paginate("/admin/users"))).rejects.toThrow("browserClients");
  });
});

describe("idempotent", () => {
  const user = { username: "ada", email: "ada@example.com", password: "Analytical1" };
  const busy = (status: number, retryAfter?: string) =>
    Response.json({ detail: "Busy" }, { status, headers: retryAfter ? { "retry-after": retryAfter } : {} });
  const keysOf = (sent: Request[]) => new Set(sent.map(({ headers }) => headers.get("idempotency-key")));

  it("repeats the same request with the same key, after the time that the service asks for", async () => {
    const { api, sent, waits } = createRecordingClient({}, busy(503, "5"), busy(502), busy(504, "1"));
    const { error } = await api.idempotent("/users/", { body: user });

    expect([error, waits, sent.length, keysOf(sent).size]).toEqual([undefined, [5, 2, 1], 4, 1]);
    expect(sent[0]?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
    for (const request of sent) {
      expect(request.url).toBe(`${baseUrl}/users/`);
      expect(await request.json()).toEqual(user);
    }
  });

  it("uses a new key for each call, and a given key", async () => {
    const { api, sent } = createRecordingClient();
    await api.idempotent("/users/", { body: user });
    await api.idempotent("/users/", { body: user });
    await api.idempotent("/users/", { body: user, params: { header: { "idempotency-key": "mine" } } });

    expect(keysOf(sent).size).toBe(3);
    expect(sent[2]?.headers.get("idempotency-key")).toBe("mine");
  });

  it("repeats a request whose response was lost", async () => {
    const lost = new TypeError("fetch failed");
    const truncated = new Response('{"id":', { headers: { "content-type": "application/json" } });
    const { api, sent, waits } = createRecordingClient({}, lost, truncated, Response.json({ id: 1 }));
    expect((await api.idempotent("/users/", { body: user })).data).toEqual({ id: 1 });
    expect([sent.length, keysOf(sent).size, waits]).toEqual([3, 1, [1, 2]]);
  });

  it("gives up after four attempts", async () => {
    const failing = createRecordingClient({}, ...Array.from({ length: 5 }, () => busy(503)));
    const unreachable = createRecordingClient({}, ...Array.from({ length: 5 }, () => new TypeError("lost")));
    expect((await failing.api.idempotent("/users/", { body: user })).error).toMatchObject({ status: 503 });
    await expect(unreachable.api.idempotent("/users/", { body: user })).rejects.toThrow("lost");
    expect([failing.sent.length, unreachable.sent.length]).toEqual([4, 4]);
    expect(failing.waits).toEqual([1, 2, 4]);
  });

  const final = [busy(400), busy(409, "1"), busy(422), busy(429, "1"), busy(500), busy(503, "3600")];
  it.each(final)("does not repeat what would fail again or wait for an hour: $status", async (response) => {
    const { api, sent } = createRecordingClient({}, response);
    const { error } = await api.idempotent("/users/", { body: user });
    expect([error?.status, sent.length]).toEqual([response.status, 1]);
  });

  it("waits until the date that the service names", async () => {
    const date = new Date(Date.now() + 30_000).toUTCString();
    const past = "Thu, 01 Jan 1970 00:00:00 GMT";
    const { api, waits } = createRecordingClient({}, busy(503, date), busy(503, past));
    await api.idempotent("/users/", { body: user });
    expect(waits).toEqual([expect.closeTo(30, -1), 0]);
  });

  it("does not repeat errors of the program", async () => {
    const { api, sent, waits } = createRecordingClient();
    const body = { ...user, age: 1n as never };
    await expect(api.idempotent("/users/", { body })).rejects.toThrow("BigInt");
    expect([sent, waits]).toEqual([[], []]);
  });

  it("stops waiting when it is aborted", async () => {
    const aborted = new AbortController();
    const { api, sent } = createRecordingClient({ wait: undefined }, busy(503, "60"), busy(503, "60"));
    const creation = api.idempotent("/users/", { body: user, signal: aborted.signal });
    setImmediate(() => aborted.abort(new Error("no longer needed")));

    await expect(creation).rejects.toThrow("no longer needed");
    expect(sent).toHaveLength(1);
  });
});
