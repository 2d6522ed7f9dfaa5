import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { listen, listenOnBoth } from "../../../local/listen.ts";
import { runFixture } from "../fixtures/run.ts";

const run = await runFixture();
afterAll(() => run.close());

const get = (path: string, init?: RequestInit) => fetch(run.url + path, init);

async function sendRaw(bytes: string, end = false): Promise<string> {
  const { hostname, port } = new URL(run.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  if (end) socket.end(bytes);
  else socket.write(bytes);
  return await text(socket);
}

describe("a request", () => {
  it("with a binary body gets a binary response", async () => {
    const body = Uint8Array.from({ length: 256 }, (_, at) => at);
    const type = { "content-type": "application/octet-stream" };
    const response = await get("/probe/binary", { method: "POST", body, headers: type });
    expect(response.status).toBe(201);
    expect(response.headers.get("x-received")).toBe("true");
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(body);
  });

  it("has the function's length if its response has a body, whatever the function says, except for HEAD", async () => {
    const lengthOf = async (method: string) =>
      (await get("/probe/length", { method })).headers.get("content-length");
    expect([await lengthOf("POST"), await lengthOf("HEAD")]).toEqual(["2", "99"]);
  });

  it("without a route is 404, also for an unknown method", async () => {
    const response = await get("/nowhere", { method: "DELETE" });
    expect([response.status, await response.json()]).toEqual([404, { message: "Not Found" }]);
    expect((await get("/users", { method: "HEAD" })).status).toBe(404);
  });
});

describe("the limit", () => {
  it("of the head is 10,240 bytes", async () => {
    const start = `GET /users HTTP/1.1\r\nHost: ${new URL(run.url).host}\r\nConnection: close\r\nX: `;
    const statusOf = async (length: number) =>
      (await sendRaw(`${start}${"x".repeat(length - start.length - 2)}\r\n\r\n`)).slice(0, 13);
    expect(await statusOf(10_240)).toBe("HTTP/1.1 200 ");
    for (const length of [10_241, 100_000]) expect(await statusOf(length)).toBe("HTTP/1.1 431 ");
  });

  it.each([
    ["the gateway's 10 MB", 11_000_000],
    ["Lambda's 6 MB, including the rest of the event", 6_291_500],
  ])("of the body is %s", async (_, size) => {
    const headers = { "content-type": "text/plain" };
    const response = await get("/probe/echo", { method: "POST", body: "x".repeat(size), headers });
    expect([response.status, await response.json()]).toEqual([413, { message: "Request Entity Too Large" }]);
  });

  it("of a response is Lambda's 6 MB", async () => {
    expect((await get("/probe/huge")).status).toBe(500);
    expect((await run.logged("exceed Lambda's limit")).source).toBe("gateway");
  });
});

describe("invalid HTTP", () => {
  it.each([
    ["text", "hello\r\n\r\n"],
    ["a bad header", "GET / HTTP/1.1\r\nbad header\r\n\r\n"],
    ["a bad length", "POST /probe/x HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n"],
    ["no host", "GET / HTTP/1.1\r\n\r\n"],
    ["two hosts", "GET /users HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n"],
    ["a target that is not a path", "GET users HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a malformed path", "GET /%ff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ])("is refused, and the next request succeeds: %s", async (_, bytes) => {
    expect(await sendRaw(bytes)).toMatch(/^HTTP\/1.1 400 /);
    expect((await get("/users")).status).toBe(200);
  });

  it("is dropped if the client disconnects in the middle", async () => {
    await sendRaw("POST /probe/x HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf", true);
    expect((await get("/users")).status).toBe(200);
  });
});

it.each(["throw", "malformed", "circular"])(
  "a response of a failing function (%s) is a 500",
  async (kind) => {
    const response = await get(`/probe/${kind}`);
    expect([response.status, await response.json()]).toEqual([500, { message: "Internal Server Error" }]);
    expect(response.headers.get("apigw-requestid")).toMatch(/=$/);
    if (kind === "throw") expect(await run.logged("thrown on purpose")).toMatchObject({ source: "Probe" });
  },
);

describe("CORS", () => {
  const origin = "https://app.example";

  it("the gateway responds to preflights", async () => {
    const headers = { origin, "access-control-request-method": "PUT" };
    const response = await get("/notes/1", { method: "OPTIONS", headers });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "GET,PUT",
      "access-control-allow-headers": "content-type",
      "access-control-max-age": "10",
    });
  });

  it.each([
    ["method", origin, "DELETE"],
    ["origin", "https://other.example", "GET"],
  ])("a preflight gets no headers for a %s that is not allowed", async (_, other, method) => {
    const headers = { origin: other, "access-control-request-method": method };
    const response = await get("/notes/1", { method: "OPTIONS", headers });
    expect([...response.headers.keys()].join()).not.toContain("access-control");
  });

  it("OPTIONS without a requested method is an unknown route", async () => {
    expect((await get("/notes/1", { method: "OPTIONS" })).status).toBe(404);
  });

  it("headers come from the gateway, never from the function, and only for an allowed origin", async () => {
    expect(Object.fromEntries((await get("/probe/headers", { headers: { origin } })).headers)).toMatchObject({
      ...{ "access-control-allow-origin": origin, vary: "origin" },
      "access-control-expose-headers": "x-request-id,location",
    });
    for (const headers of [{}, { origin: "https://other.example" }])
      expect([...(await get("/probe/headers", { headers })).headers.keys()].join()).not.toContain("access-");
  });
});

const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === "::1"),
);

it.runIf(hasIpv6)("is served at ::1 as well, and refuses a port that another program has there", async () => {
  const { port } = new URL(run.url);
  expect((await fetch(`http://[::1]:${port}/users`)).status).toBe(200);

  const other = createServer().listen(0, "::1");
  await once(other, "listening");
  const taken = { host: "127.0.0.1", port: (other.address() as AddressInfo).port };
  const first = createServer();
  await listen(first, taken);
  await expect(listenOnBoth(first, taken)).rejects.toThrow(`Port ${taken.port} is in use`);
  for (const server of [first, other]) server.close();
});
