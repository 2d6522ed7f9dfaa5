import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { idempotencyContext, validateIdempotencyKey } from "../../../lib/http/idempotency.ts";
import type { RawRequest } from "../../../lib/http/request.ts";
import { response, routeBuilder } from "../../../lib/http/route.ts";

const route = routeBuilder<never>({ tag: "test", errorFormat: "detail" });
const parts = {
  operationId: "test",
  summary: "Test",
  description: "For the tests.",
  responses: { 204: z.undefined() },
  handle: async () => response(204),
} as const;
const creating = route("POST /notes/{id}", { ...parts, creates: true });

const request: RawRequest = {
  id: "1",
  time: new Date("2026-03-01T12:00:00.000Z"),
  method: "POST",
  path: "/notes/7",
  query: { size: ["1"] },
  address: "",
  headers: { "idempotency-key": "k" },
  body: Buffer.from('{"password":"Analytical1"}'),
  target: "/notes/7?size=1",
  url: "https://api.example.com/notes/7?size=1",
};

describe("an idempotency key", () => {
  it("is 1 to 255 printable ASCII characters", () => {
    const printable = fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((n) => String.fromCharCode(n)),
    });
    fc.assert(
      fc.property(fc.oneof(printable, fc.string({ unit: "binary" })), (key) => {
        const isKey = /^[ -~]+$/.test(key) && key.length <= 255;
        expect(validateIdempotencyKey({ "idempotency-key": key }) === undefined).toBe(isKey);
      }),
    );
  });

  it.each([
    ["nothing", "", "invalid_format"],
    ["256 characters", "x".repeat(256), "invalid_format"],
    ["a line break", "a\nb", "invalid_format"],
    ["a letter beyond ASCII", "é", "invalid_format"],
  ])("is not %s", (_, key, type) => {
    expect(validateIdempotencyKey({ "idempotency-key": key })).toMatchObject({
      field: "headers.idempotency-key",
      type,
    });
  });

  it("need not be there, and counts only where something is created", () => {
    expect(validateIdempotencyKey({})).toBeUndefined();
    expect(validateIdempotencyKey({ "idempotency-key": "x".repeat(255) })).toBeUndefined();
    expect(idempotencyContext(creating, {}, { ...request, headers: {} }, undefined)).toBeUndefined();
    expect(idempotencyContext(route("POST /notes", parts), {}, request, undefined)).toBeUndefined();
  });
});

describe("a request under a key", () => {
  const fingerprint = (changes: Partial<RawRequest> = {}, path = { id: "7" }, caller?: unknown) =>
    idempotencyContext(creating, path, { ...request, ...changes }, caller)?.requestHash;

  it("is the same when all of it is", () => {
    expect(fingerprint({ id: "2", time: new Date(), headers: { "idempotency-key": "k", other: "x" } })).toBe(
      fingerprint(),
    );
  });

  it.each([
    ["body", fingerprint({ body: Buffer.from("{}") })],
    ["lack of a body", fingerprint({ body: undefined })],
    ["query", fingerprint({ query: { size: ["2"] } })],
    ["repeated parameter", fingerprint({ query: { size: ["1", "1"] } })],
    ["path", fingerprint({}, { id: "8" })],
    ["caller", fingerprint({}, { id: "7" }, { username: "ada" })],
  ])("is another one with another %s", (_, other) => {
    expect(other).not.toBe(fingerprint());
  });

  it("cannot be told from its hash without the key", () => {
    expect(fingerprint({ headers: { "idempotency-key": "l" } })).not.toBe(fingerprint());
  });
});
