import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { DevView } from "../../../local/dev-view/dev-view.ts";
import { startLoopback } from "../../../local/loopback.ts";

const view = new DevView();
view.open({} as never);
/** As a gateway does; what the page does not handle is the API's. */
const server = await startLoopback((request, response) => {
  if (!view.intercept(request, response)) response.writeHead(418).end();
});
const { port } = new URL(server.url);
afterAll(() => server.close());

type Options = Readonly<Record<string, string>>;

async function get(path: string, { method = "GET", ...headers }: Options = {}) {
  const request = httpRequest({ port, path, method, headers: { host: "localhost", ...headers } }).end();
  const [response] = await once(request, "response");
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe("the page of requests", () => {
  it("consists of HTML, a style sheet and a script, and may load nothing else", async () => {
    const page = await get("/_dev");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    const assets = [...page.body.matchAll(/(?:href|src)="(\/_dev\/page[^"]*)"/g)].map(
      ([, path = ""]) => path,
    );
    expect(assets).toHaveLength(2);
    for (const path of assets) expect(await get(path), path).toMatchObject({ status: 200 });
  });

  it.each([
    ["another path", "/todos", {}],
    ["a path that only begins like it", "/_development", {}],
    ["a path that is no URL", "//", {}],
    ["a host that is no URL", "http://[/_dev", {}],
    ["no file of it", "/_dev/constructor", {}],
    ["another method", "/_dev", { method: "POST" }],
    ["a foreign host name", "/_dev/events", { host: "evil.example" }],
    ["a request to send from another page", "/_dev/send", { method: "POST" }],
    ["a foreign host name with a port", "/_dev", { host: "localhost.evil.example:80" }],
    ["the origin of another page", "/_dev/data/items", { origin: "http://localhost:5173" }],
    ["a script tag of another page", "/_dev/page.js", { "sec-fetch-site": "cross-site" }],
    ["an image of another port", "/_dev/data", { "sec-fetch-site": "same-site", "sec-fetch-dest": "image" }],
    ["a frame of another page", "/_dev", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe" }],
    ["a stream for another page", "/_dev/events", { "sec-fetch-site": "cross-site" }],
    ["passed a proxy", "/_dev", { "x-forwarded-for": "203.0.113.9" }],
  ] as [string, string, Options][])("leaves to the API what has %s", async (_, path, options) => {
    expect((await get(path, options)).status).toBe(418);
  });

  it.each([
    { "sec-fetch-site": "none", "sec-fetch-dest": "document" },
    { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" },
    { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty" },
    { origin: "http://localhost" },
  ] as Options[])("is served to its own pages, and to who opens it: %j", async (headers) => {
    expect((await get("/_dev", headers)).status).toBe(200);
  });

  it.each(["127.0.0.1:8080", "[::1]:8080", "localhost"])("is served to %s", async (host) => {
    expect((await get("/_dev", { host })).status).toBe(200);
  });
});
