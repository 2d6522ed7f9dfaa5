import { describe, expect, it } from "vitest";
import { readResponse } from "../../../local/api-gateway/response.ts";

describe("a function's result", () => {
  it("with a status is the response", () => {
    expect(
      readResponse(
        JSON.stringify({
          statusCode: 201,
          headers: { "Content-Type": "application/json", Connection: "close" },
          body: "{}",
        }),
      ),
    ).toEqual({ statusCode: 201, headers: { "content-type": "application/json" }, body: Buffer.from("{}") });
  });

  it("has the type text/plain by default, and a binary body in base64", () => {
    expect(readResponse('{"statusCode":200,"body":"/w==","isBase64Encoded":true}')).toMatchObject({
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: Buffer.from([255]),
    });
  });

  // Captured from API Gateway: see docs/adr/0001.
  it.each([
    ['{"name": "John Doe", "age": 30}', '{"name": "John Doe", "age": 30}'],
    ['{"name": "John Doe", "age":', '{"name": "John Doe", "age":'],
    ["[1, 2, 3]", "[1, 2, 3]"],
    ["Hello, World!", "Hello, World!"],
    ["null", "null"],
    ["42", "42"],
    ['"test"', "test"],
    ['""', ""],
    ['"Special \\"quoted\\" text"', 'Special "quoted" text'],
  ])("without a status is the body of a 200: %s", (payload, body) => {
    expect(readResponse(payload)).toEqual({
      statusCode: 200,
      headers: { "content-type": "application/json" },
      body: Buffer.from(body),
    });
  });

  it.each([
    { statusCode: "200" },
    { statusCode: 100 },
    { statusCode: 200, body: {} },
    { statusCode: 200, headers: { a: ["b"] } },
    { statusCode: 200, headers: { "a b": "c" } },
    { statusCode: 200, headers: { a: "b\r\nc" } },
    { statusCode: 200, headers: "a" },
    { statusCode: 200, cookies: ["a=1"] },
  ])("is malformed: %j", (result) => {
    expect(readResponse(JSON.stringify(result))).toBeUndefined();
  });
});
