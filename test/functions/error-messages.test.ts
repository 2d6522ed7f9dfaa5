import { describe, expect, it } from "vitest";
import { ApiError } from "../../lib/domain/errors.ts";
import { type RawRequest, RequestTarget } from "../../lib/http/request.ts";
import type { Route } from "../../lib/http/route.ts";
import { validate } from "../../lib/http/validation.ts";
import { document, routes } from "../support/infra/openapi.ts";

/** No message of the service contains it. */
const MARK = "Recognisable";

const schemas = JSON.stringify(document.components.schemas);
const fields = [...new Set([...schemas.matchAll(/"(\w+)":\{/g)].map(([, name = ""]) => name))];
const objectOf = (value: unknown) => Object.fromEntries(fields.map((name) => [name, value]));

/** Bodies with the mark wherever a client can write one. */
const values = [
  MARK,
  [MARK],
  objectOf(MARK),
  [objectOf(MARK)],
  objectOf([MARK]),
  objectOf({ [MARK]: MARK }),
  { [MARK]: MARK },
];
const bodies = [
  undefined,
  ...values.map((value) => JSON.stringify(value)),
  MARK,
  `{"a": ${MARK}}`,
  `{"${MARK}"`,
  `["${MARK}`,
].map((text) => text && Buffer.from(text));

/** Every message and field name with which the service refuses requests that have the mark everywhere. */
function refusals(route: Route): string[] {
  const names = (key: string, kind: string) =>
    (document.paths[route.pattern]?.[route.method.toLowerCase()]?.parameters ?? [])
      .filter((parameter) => parameter.in === kind)
      .map(({ name }): [string, string] => [name, `${MARK}\n${key}`]);
  return bodies.flatMap((body) => {
    const request: RawRequest = {
      id: "",
      time: new Date(0),
      method: route.method,
      path: "",
      headers: Object.fromEntries(names("header", "header")),
      body: body || undefined,
      origin: "",
      target: new RequestTarget("", new URLSearchParams(names("query", "query"))),
      rawQuery: "",
      address: "",
    };
    try {
      validate(route, Object.fromEntries(names("path", "path")), request);
      return [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const [first, ...others] = error.details;
      const own = first && route.onInvalid?.([first, ...others]);
      return [
        error.message,
        ...(own ? [own.message] : []),
        ...error.details.map((each) => JSON.stringify(each)),
      ];
    }
  });
}

describe("an error of validation", () => {
  const messages = routes.flatMap(refusals);

  it("never repeats what was sent", () => {
    expect(messages.length).toBeGreaterThan(500);
    expect([...new Set(messages)].filter((message) => message.includes(MARK))).toEqual([]);
  });

  it("is a sentence for people, without the wording of a library", () => {
    const texts = messages.flatMap((message) =>
      message.startsWith("{") ? [JSON.parse(message).message as string] : [],
    );

    expect([...new Set(texts)].filter((text) => !/^[A-Z][^<>=]*[^.\s]$/.test(text))).toEqual([]);
  });
});
