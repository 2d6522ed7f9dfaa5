import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { FieldError } from "../../../lib/domain/errors.ts";
import { response, routeBuilder } from "../../../lib/http/route.ts";
import { validate } from "../../../lib/http/validation.ts";
import { textParameter } from "../../../lib/validators/parameter.ts";

const route = routeBuilder<unknown>({ tag: "test", errorFormat: "detail" })("POST /lists", {
  operationId: "test",
  summary: "Take a list",
  description: "For the tests.",
  query: z.object({ colour: textParameter(z.enum(["red", "green"])) }),
  body: z.array(z.string()),
  responses: { 204: z.undefined() },
  handle: async () => response(204),
});

/** What is found wrong with a request. */
function mistakes(query: Record<string, string[]>, body: unknown): readonly FieldError[] {
  const request = {
    time: new Date(0),
    id: "",
    method: "POST",
    path: "/lists",
    headers: {},
    target: "",
    url: "",
    address: "",
  };
  try {
    validate(route, {}, { ...request, query, body: Buffer.from(JSON.stringify(body)) });
  } catch (failure) {
    return (failure as { details: readonly FieldError[] }).details;
  }
  return [];
}

describe("validation", () => {
  it("tells a word that is missing from one that is wrong", () => {
    expect(mistakes({}, [])).toEqual([{ field: "query.colour", message: "Required", type: "missing" }]);
    expect(mistakes({ colour: ["blue"] }, [])).toMatchObject([{ type: "invalid_value" }]);
    expect(mistakes({ colour: ["red"] }, [])).toEqual([]);
  });

  it("hands over the target with what is declared of its query, wherever question marks stand", () => {
    const request = { time: new Date(0), id: "", method: "POST", path: "/lists", headers: {}, url: "" };
    const { target } = validate(
      route,
      {},
      {
        ...request,
        query: { colour: ["red"] },
        body: Buffer.from("[]"),
        target: "/lists?colour=a?b&password=x&q=?&colour=red",
        address: "",
      },
    );

    expect(target).toBe("/lists?colour=a%3Fb&colour=red");
  });

  it("lists at most a thousand mistakes, the first ones", () => {
    const found = mistakes({}, new Array(100_000).fill(0));

    expect(found).toHaveLength(1_000);
    expect(found.slice(0, 3).map(({ field }) => field)).toEqual(["query.colour", "body.0", "body.1"]);
    expect(found.at(-1)?.field).toBe("body.998");
  });
});
