import { expect, it } from "vitest";
import { errorFields } from "../../../lib/log/error-fields.ts";

it("of an error are its name, message and stack, and what says where it comes from", () => {
  const $metadata = { httpStatusCode: 400, requestId: "r-1", attempts: 3 };
  const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED", address: "127.0.0.1" });
  const error = Object.assign(new TypeError("failed", { cause }), { $metadata, code: 7, Item: { a: 1 } });

  expect(errorFields(error)).toStrictEqual({
    name: "TypeError",
    message: "failed",
    stack: expect.stringContaining("error-fields.test.ts"),
    $metadata,
    cause: {
      name: "Error",
      message: "refused",
      stack: expect.stringContaining("refused"),
      code: "ECONNREFUSED",
    },
  });
});

it.each([
  ["an error without a stack", Object.assign(new Error("x"), { stack: undefined }), "Error", "x"],
  ["a text", "text", "string", "'text'"],
  ["anything else", { a: [null] }, "object", "{ a: [ null ] }"],
])("of %s are its name or type, and what it says or is", (_, thrown, name, message) => {
  expect(errorFields(thrown)).toStrictEqual({ name, message });
});

it("end after five causes, which can be a circle", () => {
  const error = new Error("x");
  error.cause = error;
  expect(JSON.stringify(errorFields(error)).split('"name"')).toHaveLength(1 + 6);
});
