import { describe, expect, it } from "vitest";
import { buildEvent, type GatewayRequest, newRequestId } from "../../../local/api-gateway/event.ts";
import { readTarget } from "../../../local/api-gateway/request.ts";

const context = { apiId: "api", routeKey: "GET /users/{id}" };

const received: GatewayRequest = {
  ...{ method: "GET", path: "/users/1", query: "", rawHeaders: [], body: Buffer.alloc(0), requestId: "id" },
  ...{ protocol: "HTTP/1.1", sourceIp: "127.0.0.1", port: 8080 },
  receivedAt: new Date("2026-03-02T09:03:58.042Z"),
};
const eventFor = (request: Partial<GatewayRequest>) => buildEvent({ ...received, ...request }, context);

describe("the event", () => {
  it("has every member of payload format 2.0", () => {
    const rawHeaders = ["Host", "api.example:8080", "User-Agent", "test"];
    const event = eventFor({ query: "a=1", rawHeaders });
    expect(JSON.parse(JSON.stringify(event))).toEqual({
      version: "2.0",
      routeKey: "GET /users/{id}",
      rawPath: "/users/1",
      rawQueryString: "a=1",
      headers: {
        host: "api.example:8080",
        "user-agent": "test",
        "x-amzn-trace-id": expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
        "x-forwarded-for": "127.0.0.1",
        "x-forwarded-port": "8080",
        "x-forwarded-proto": "http",
      },
      queryStringParameters: { a: "1" },
      requestContext: {
        accountId: "000000000000",
        apiId: "api",
        domainName: "api.example",
        domainPrefix: "api",
        http: {
          method: "GET",
          path: "/users/1",
          protocol: "HTTP/1.1",
          sourceIp: "127.0.0.1",
          userAgent: "test",
        },
        requestId: "id",
        routeKey: "GET /users/{id}",
        stage: "$default",
        time: "02/Mar/2026:09:03:58 +0000",
        timeEpoch: 1772442238042,
      },
      isBase64Encoded: false,
    });
  });

  it("has no empty members", () => {
    for (const name of ["cookies", "queryStringParameters", "pathParameters", "body"])
      expect(eventFor({})).not.toHaveProperty(name);
  });

  it("joins duplicate headers, splits cookies and drops hop-by-hop headers", () => {
    const event = eventFor({
      rawHeaders: [
        ...["X-Tag", "a", "x-tag", "b", "Connection", "close", "Transfer-Encoding", "chunked"],
        ...["Cookie", "one=1; two=2", "cookie", "three=3", "X-Forwarded-For", "203.0.113.9"],
      ],
    });
    expect(event.cookies).toEqual(["one=1", "two=2", "three=3"]);
    expect(event.headers).toMatchObject({ "x-tag": "a,b", "x-forwarded-for": "203.0.113.9,127.0.0.1" });
    expect(Object.keys(event.headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(cookie|connection|transfer-encoding)$/)]),
    );
  });

  it("decodes and joins query parameters of any name", () => {
    const event = eventFor({ query: "a=1&a=2&b=%C3%A9+x&c&__proto__=p" });
    expect(event.rawQueryString).toBe("a=1&a=2&b=%C3%A9+x&c&__proto__=p");
    expect(JSON.stringify(event.queryStringParameters)).toBe('{"a":"1,2","b":"é x","c":"","__proto__":"p"}');
  });

  it.each<[string | undefined, string | readonly number[], boolean]>([
    ["text/plain", "é", false],
    ["Application/JSON; charset=utf-8", "{}", false],
    ["application/javascript", "0", false],
    ["application/xml", "<a/>", false],
    ["application/x-www-form-urlencoded", "a=1", true],
    ["application/octet-stream", [0, 255], true],
    ["application/problem+json", "{}", true],
    ["image/svg+xml", "<svg/>", true],
    [undefined, "{}", true],
    // JSON that is not UTF-8.
    ["application/json", [0x22, 0xff, 0x22], true],
  ])("carries a body of type %s (%j) in base64: %s", (type, bytes, isBase64Encoded) => {
    const body = Buffer.from(bytes as string);
    const event = eventFor({ body, rawHeaders: type === undefined ? [] : ["Content-Type", type] });
    const text = body.toString(isBase64Encoded ? "base64" : "utf8");
    expect(event).toMatchObject({ body: text, isBase64Encoded });
  });
});

describe("the request target", () => {
  it.each([
    ["/users?x=%20&y", { path: "/users", query: "x=%20&y" }],
    ["/a%2Fb%C3%A9", { path: "/a/bé", query: "" }],
    ["/a%3Fb/c?x=%3F", { path: "/a", query: "x=%3F" }],
    ["/a%253Fb", { path: "/a%3Fb", query: "" }],
    ["/users/../x//y", { path: "/users/../x//y", query: "" }],
    ["http://host:1/users?x", { path: "/users", query: "x" }],
    ["http://host", { path: "/", query: "" }],
    ["/?", { path: "/", query: "" }],
  ])("%s is split without being normalized", (target, expected) => {
    expect(readTarget(target)).toEqual(expected);
  });

  it.each(["/%", "/%zz", "/%ff", "*", "users", ""])("%j is invalid", (target) => {
    expect(readTarget(target)).toBeUndefined();
  });
});

it("request ids have API Gateway's form", () => {
  expect(newRequestId()).toMatch(/^[A-Za-z0-9+/]{15}=$/);
});
