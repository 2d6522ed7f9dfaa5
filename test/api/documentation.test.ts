import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../infra/openapi/document.ts";
import { api } from "../support/api/target.ts";
import { routes } from "../support/own-access.ts";

it("GET / redirects to the documentation", async () => {
  const { status, headers, body } = await api.get("/");
  expect([status, headers.get("location"), body]).toEqual([302, "docs", undefined]);
});

describe("GET /openapi.json", () => {
  it("returns the document of the declared routes", async () => {
    const { headers, body } = await api.get("/openapi.json");
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("cache-control")).toBe("no-cache");
    const { servers, ...document } = openApiDocument(routes);
    expect(body).toEqual({ ...JSON.parse(JSON.stringify(document)), servers: body.servers });
  });

  it("with lists=objects has one form of each list, and no deprecated parameter", async () => {
    const { body } = await api.get("/openapi.json?lists=objects");
    expect(JSON.stringify(body.paths)).not.toContain('"deprecated"');
    expect(body.paths["/auth/login"].post.requestBody.required).toBe(true);
  });

  it.each(["", "/shop"])("names first the server that sent it, also behind the prefix %j", async (prefix) => {
    const { body } = await api.get("/openapi.json");
    const documentUrl = `http://127.0.0.1:3000${prefix}/openapi.json`;

    // As Swagger UI finds the address of an operation.
    const base = new URL(body.servers[0].url, documentUrl).href.replace(/\/$/, "");
    expect(`${base}/todos`).toBe(`http://127.0.0.1:3000${prefix}/todos`);
  });

  it.each([
    ["gzip", "gzip"],
    ["gzip, deflate, br", "br"],
    ["deflate", null],
    ["identity", null],
  ])("is sent to a client that accepts %s with the coding %s, and not again", async (accepted, coding) => {
    const get = (tag: string) =>
      api.get("/openapi.json", { headers: { "accept-encoding": accepted, "if-none-match": tag } });
    const { headers, body } = await get('"other"');
    expect(headers.get("content-encoding")).toBe(coding);
    expect(headers.get("vary")).toBe("accept-encoding");
    expect(body.openapi).toMatch(/^3\.1\./);
    const etag = headers.get("etag") ?? "";
    const again = await get(etag);
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
  });
});

it("GET /llms.txt is plain text, whose links and first calls lead somewhere", async () => {
  const { status, headers, text } = await api.get("/llms.txt");

  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  // As the parser of https://llmstxt.org reads it.
  const [start = "", ...sections] = text.split(/^## /m);
  expect(start).toMatch(/^# .+\n\n> .+\n/);
  const links = sections.flatMap((section) => [...section.matchAll(/^- \[[^\]]+\]\(([^)]*)\): ./gm)]);
  const page = (await api.get("/docs")).text;
  for (const [, link = ""] of links) {
    const [path = "", anchor] = link.split("#");
    if (anchor === undefined) expect((await api.get(`/${path}`)).status, link).toBe(200);
    else expect(page, link).toContain(`id="${anchor}"`);
  }
  expect(links).toHaveLength(routes.length + 3);
  const calls = [...text.matchAll(/curl "?\$URL([^\s"?]+)/g)].map(([, path = ""]) => path);
  expect(calls.filter((path) => !routes.some(({ pattern }) => pattern === path))).toEqual([]);
  expect(calls).toEqual(expect.arrayContaining(["/health", "/users/", "/auth/login"]));
});

describe("GET /docs", () => {
  it.each(["/docs", "/docs/"])("allows only its own scripts and styles (%s)", async (path) => {
    const { status, headers, text } = await api.get(path);

    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(text).not.toMatch(/ (href|src)="https?:|<script>|<style|style=|onload=/);
  });

  it("links to files that can be cached forever", async () => {
    const { text } = await api.get("/docs");
    const names = [...text.matchAll(/"docs\/assets\/([\w.-]+)/g)].map(([, name]) => name);
    expect(new Set(names).size).toBe(3);

    for (const name of names) {
      const { headers, text } = await api.get(`/docs/assets/${name}`);
      expect(name).toMatch(/\.[0-9a-f]{12}\.\w+$/);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(text.length).toBeGreaterThan(10);
    }
  });

  it.each([
    ...["page.css", "page.000000000000.css", "openapi.json", "__proto__"],
    ...["..%2F..%2Findex.mjs", "%2E%2E%2Findex.html.br", "%00"],
  ])("returns 404 for other files: %s", async (name) => {
    const body = { detail: "Not Found" };
    expect(await api.get(`/docs/assets/${name}`)).toMatchObject({ status: 404, body });
  });
});
