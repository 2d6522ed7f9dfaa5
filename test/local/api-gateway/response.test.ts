import { describe, expect, it } from "vitest";
import { readResponse } from "../../../local/api-gateway/response.ts";

describe("a function's result", () => {
  it("with a status is the response", () => {
    expect(
      readResponse({
        statusCode: 201,
        headers: { "Content-Type": "application/json", "X-Count": 2, "Content-Length": "99" },
        cookies: ["a=1"],
        body: "{}",
      }),
    ).toEqual({
      statusCode: 201,
      headers: { "content-type": "application/json", "x-count": "2" },
      cookies: ["a=1"],
      body: Buffer.from("{}"),
    });
  });

  it("has a text body by default, and a binary one in base64", () => {
    expect(readResponse({ statusCode: 200, body: "/w==", isBase64Encoded: true })).toMatchObject({
      headers: { "content-type": "text/plain;charset=UTF-8" },
      body: Buffer.from([255]),
    });
  });

  it.each([
    [{ id: 1 }, '{"id":1}'],
    ["text", '"text"'],
    [null, "null"],
    [[1], "[1]"],
  ])("without a status is the JSON body of a 200: %j", (result, body) => {
    expect(readResponse(result)).toEqual({
      statusCode: 200,
      headers: { "content-type": "application/json" },
      cookies: [],
      body: Buffer.from(body),
    });
  });

  it.each([
    [{ statusCode: "200" }, "statusCode"],
    [{ statusCode: 100 }, "statusCode"],
    [{ statusCode: 200, body: {} }, "body"],
    [{ statusCode: 200, isBase64Encoded: "yes" }, "isBase64Encoded"],
    [{ statusCode: 200, headers: { a: ["b"] } }, '"a"'],
    [{ statusCode: 200, headers: { "a b": "c" } }, '"a b"'],
    [{ statusCode: 200, headers: { a: "b\r\nc" } }, '"a"'],
    [{ statusCode: 200, headers: "a" }, "headers"],
    [{ statusCode: 200, cookies: "a=1" }, "cookies"],
  ])("is malformed: %j", (result, reason) => {
    expect(readResponse(result)).toEqual(expect.stringContaining(reason));
  });
});
