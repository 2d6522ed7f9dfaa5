import { createClient } from "resource-api/client";
import { describe, expect, it } from "vitest";

/** A client, and the requests that it sent. */
function recording(
  options: Partial<Parameters<typeof createClient>[0]> = {},
  answer = () => Response.json({}),
) {
  const sent: Request[] = [];
  const fetch = async (request: Request) => {
    sent.push(request);
    return answer();
  };
  return { api: createClient({ baseUrl: "https://api.example.com", fetch, ...options }), sent };
}

describe("the client", () => {
  it("sends token and key, as they are at the time", async () => {
    let token: string | undefined;
    const { api, sent } = recording({ token: () => token, apiKey: "key" });
    await api.GET("/todos");
    token = "second";
    await api.GET("/todos");

    expect(sent.map(({ headers }) => [headers.get("authorization"), headers.get("x-api-key")])).toEqual([
      [null, "key"],
      ["Bearer second", "key"],
    ]);
  });

  it("sends neither where it has none", async () => {
    const { api, sent } = recording({ token: undefined, apiKey: undefined });
    await api.GET("/todos");

    expect([...(sent[0]?.headers.keys() ?? [])]).not.toEqual(expect.arrayContaining(["authorization"]));
    expect(sent[0]?.headers.has("x-api-key")).toBe(false);
  });

  it("takes a token that does not change", async () => {
    const { api, sent } = recording({ token: "fixed" });
    await api.GET("/users/me");

    expect(sent[0]?.headers.get("authorization")).toBe("Bearer fixed");
  });

  it("writes paths, queries and bodies as the service reads them", async () => {
    const { api, sent } = recording();
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

  it("tells answers from failures, also those without a body", async () => {
    const failing = recording({}, () => Response.json({ detail: "Not Found" }, { status: 404 }));
    const empty = recording({}, () => new Response(null, { status: 404 }));
    const path = { id: 1 };

    expect(await failing.api.GET("/products")).toMatchObject({ error: { detail: "Not Found" } });
    const { data, response } = await empty.api.PATCH("/users/{id}", { params: { path }, body: {} });
    expect([data, response.status]).toEqual([undefined, 404]);
  });
});
