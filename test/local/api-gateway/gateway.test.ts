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

async function sendRaw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(run.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(bytes);
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
    const { host } = new URL(run.url);
    const head = (length: number) => {
      const start = `GET /users HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nX: `;
      return `${start}${"x".repeat(length - start.length - 2)}\r\n\r\n`;
    };
    expect(await sendRaw(head(10_240))).toMatch(/^HTTP\/1.1 200 /);
    expect(await sendRaw(head(10_241))).toMatch(/^HTTP\/1.1 431 /);
    expect(await sendRaw(head(100_000))).toMatch(/^HTTP\/1.1 431 /);
  });

  it.each([
    ["the gateway's 10 MB", 11_000_000],
    ["Lambda's 6 MB, including the rest of the event", 6_291_500],
  ])("of the body is %s", async (_, size) => {
    const response = await get("/probe/echo", {
      method: "POST",
      body: "x".repeat(size),
      headers: { "content-type": "text/plain" },
    });
    expect([response.status, await response.json()]).toEqual([413, { message: "Request Entity Too Large" }]);
  });

  it("of a response is Lambda's 6 MB", async () => {
    expect((await get("/probe/huge")).status).toBe(500);
    expect((await run.logged("exceed Lambda's limit")).source).toBe("gateway");
  });
});

describe("invalid HTTP", () => {
  it.each([
    ["text", "hello\r\n\r\n", "400"],
    ["a bad header", "GET / HTTP/1.1\r\nbad header\r\n\r\n", "400"],
    ["a bad length", "POST /probe/x HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", "400"],
    ["no host", "GET / HTTP/1.1\r\n\r\n", "400"],
    ["two hosts", "GET /users HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", "400"],
    ["a target that is not a path", "GET users HTTP/1.1\r\nHost: a\r\n\r\n", "400"],
    ["a malformed path", "GET /%ff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "400"],
  ])("is refused, and the next request succeeds: %s", async (_, bytes, status) => {
    expect(await sendRaw(bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect((await get("/users")).status).toBe(200);
  });

  it("is dropped if the client disconnects in the middle", async () => {
    const { hostname, port } = new URL(run.url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.end("POST /probe/x HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf");
    await once(socket.resume(), "close");
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

  it("OPTIONS without a requested method is an unknown route", async () => {
    expect((await get("/notes/1", { method: "OPTIONS" })).status).toBe(404);
  });

  it("headers come from the gateway, never from the function", async () => {
    const crossOrigin = await get("/probe/headers", { headers: { origin } });
    expect(crossOrigin.headers.get("access-control-allow-origin")).toBe(origin);
    expect(crossOrigin.headers.get("access-control-expose-headers")).toBe("x-request-id");
    expect((await get("/probe/headers")).headers.has("access-control-allow-origin")).toBe(false);
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
