import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { FieldError } from "../../../lib/domain/errors.ts";
import { idempotencyContext, readIdempotencyKey } from "../../../lib/http/idempotency.ts";
import { type RawRequest, readEvent } from "../../../lib/http/request.ts";
import { created } from "../../../lib/http/route.ts";
import { about, route } from "../../support/api/test-route.ts";

const creation = route("POST /notes/{id}", {
  ...about,
  responses: { 201: z.object({ id: z.int() }) },
  handle: async () => created({ record: { id: 1 }, replayed: false }),
});
const request = readEvent({ rawPath: "/notes/7", rawQueryString: "size=1", body: '{"password":"Analy1"}' });

describe("an idempotency key", () => {
  const read = (header: string) => {
    const errors: FieldError[] = [];
    return { key: readIdempotencyKey(header, errors), errors };
  };

  it.each(["", "x".repeat(256), "a,b", '""', "é", "a\tb", "\u007f", '"a,b'])("cannot be %j", (header) => {
    expect(read(header).errors).toHaveLength(1);
  });

  it.each([
    ["x".repeat(255), "x".repeat(255)],
    [" ~", " ~"],
    ['"k"', "k"],
    ['"a\\"b\\\\"', 'a"b\\'],
    ['"a,b"', "a,b"],
    [`"${"x".repeat(255)}"`, "x".repeat(255)],
  ])("%s is the same as %s", (quoted, bare) => {
    expect(read(quoted)).toEqual({ key: bare, errors: [] });
  });
});

describe("the request hash", () => {
  const hashOf = (changes: Partial<RawRequest> = {}, path = { id: "7" }, caller?: unknown, key = "k") =>
    idempotencyContext(key, creation, path, { ...request, ...changes }, caller, undefined).requestHash;

  it("is the same for the same request", () => {
    expect(hashOf({ id: "2", time: new Date(), headers: { other: "x" } })).toBe(hashOf());
  });

  it.each([
    ["body (none)", hashOf({ body: undefined })],
    ["query", hashOf({ rawQuery: "size=2" })],
    ["query (repeated)", hashOf({ rawQuery: "size=1&size=1" })],
    ["path", hashOf({}, { id: "8" })],
    ["caller", hashOf({}, { id: "7" }, { username: "ada" })],
    ["key", hashOf({}, { id: "7" }, undefined, "l")],
  ])("differs for another %s", (_, other) => {
    expect(other).not.toBe(hashOf());
  });

  it("depends on no secret in the valid body, at any depth, and on everything else in it", () => {
    const registration = { ...creation, secretFields: ["password"] };
    const hash = (body: unknown) =>
      idempotencyContext("k", registration, {}, request, undefined, body).requestHash;

    const ada = { name: "a", password: "Analytical1" };
    expect(hash({ ...ada, password: "Analytical2" })).toBe(hash(ada));
    expect(hash([{ password: "Analytical2" }])).toBe(hash([{ password: "Analytical1" }]));
    for (const other of [{ ...ada, name: "b" }, [{ name: "a" }]]) expect(hash(other)).not.toBe(hash(ada));
  });
});
