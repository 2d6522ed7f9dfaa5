import { createClient } from "resource-api/client";
import { describe, expect, it } from "vitest";

/** A client that records its requests instead of sending them. */
function createRecordingClient(
  options: Partial<Parameters<typeof createClient>[0]> = {},
  respond = () => Response.json({}),
) {
  const sent: Request[] = [];
  const fetch = async (request: Request) => {
    sent.push(request);
    return respond();
  };
  return { api: createClient({ baseUrl: "https://api.example.com", fetch, ...options }), sent };
}

describe("the client", () => {
  it("sends the current token and the API key", async () => {
    let token: string | undefined;
    const { api, sent } = createRecordingClient({ token: () => token, apiKey: "key" });
    await api.GET("/todos");
    token = "second";
    await api.GET("/todos");

    expect(sent.map(({ headers }) => [headers.get("authorization"), headers.get("x-api-key")])).toEqual([
      [null, "key"],
      ["Bearer second", "key"],
    ]);
  });

  it("sends no credentials by default", async () => {
    const { api, sent } = createRecordingClient({ token: undefined, apiKey: undefined });
    await api.GET("/todos");

    expect([...(sent[0]?.headers.keys() ?? [])]).not.toEqual(expect.arrayContaining(["authorization"]));
    expect(sent[0]?.headers.has("x-api-key")).toBe(false);
  });

  it("accepts a constant token", async () => {
    const { api, sent } = createRecordingClient({ token: "fixed" });
    await api.GET("/users/me");

    expect(sent[0]?.headers.get("authorization")).toBe("Bearer fixed");
  });

  it("encodes paths, queries and bodies", async () => {
    const { api, sent } = createRecordingClient();
    await api.GET("/users", { params: { query: { fields: ["id", "name"], name: "a b&c" } } });
    await api.PATCH("/orders/{order_id}/status", {
      params: { path: { order_id: 7 }, query: { status: "paid" } },
    });
    await api.POST("/users/", {
      body: { username: "ada", email: "ada@example.com", password: "Analytical1" },
    });

    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET https://api.example.com/users?fields=id&fields=name&name=a%20b%26c",
      "PATCH https://api.example.com/orders/7/status?status=paid",
      "POST https://api.example.com/users/",
    ]);
    expect(await sent[2]?.json()).toMatchObject({ username: "ada" });
  });

  it("distinguishes data from errors, even without a body", async () => {
    const failing = createRecordingClient({}, () => Response.json({ detail: "Not Found" }, { status: 404 }));
    const empty = createRecordingClient({}, () => new Response(null, { status: 404 }));
    const path = { id: 1 };

    expect(await failing.api.GET("/products")).toMatchObject({ error: { detail: "Not Found" } });
    const { data, response } = await empty.api.PATCH("/users/{id}", { params: { path }, body: {} });
    expect([data, response.status]).toEqual([undefined, 404]);
  });
});
