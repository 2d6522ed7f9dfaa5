import { fieldErrorTypes } from "../../lib/domain/errors.ts";
import { type ErrorFormat, formatError, formatProblem, unexpectedError } from "../../lib/http/errors.ts";
import { reference } from "./json-schema.ts";
import type { JsonSchema } from "./model.ts";

export interface ErrorSchema {
  readonly name: string;
  readonly schema: JsonSchema;
}

const MESSAGE = "The error message, for people";
const CODE = "The error code, for programs";
const message = text(MESSAGE);
const path = text("The request's URL", { format: "uri" });

export const errorFormatSchemas: Readonly<Record<ErrorFormat, ErrorSchema | undefined>> = {
  error: object("ErrorMessage", "An error in the format `error`", { error: message }, { error: "Not found" }),
  detail: object("Detail", "An error in the format `detail`", { detail: message }, { detail: "Not Found" }),
  structured: object("StructuredError", "An error in the format `structured`", {
    error: text(CODE),
    message,
    path,
  }),
  envelope: object(
    "EnvelopeError",
    "An error in the format `envelope`",
    {
      success: { type: "boolean", description: "Always false for an error" },
      data: { type: ["object", "null"], description: "Always null for an error" },
      error: message,
    },
    { success: false, data: null, error: "Not found" },
  ),
  empty: undefined,
};

const fieldError = { field: "body.name", message: "Required", type: "missing" };

export const fieldErrorSchema = object(
  "FieldError",
  "One invalid field",
  {
    field: text("The path of the field: `body.title`, `query.page`"),
    message,
    type: text("The error type, for programs", { enum: fieldErrorTypes }),
  },
  fieldError,
);

/** The body for an invalid request, in every area without an error of its own for it. */
export const validationErrorSchema = object(
  "ValidationError",
  "All errors of an invalid request",
  {
    error: text(CODE, { const: "ValidationError" }),
    message: text(MESSAGE, { const: "Request validation failed" }),
    details: {
      type: "array",
      minItems: 1,
      items: reference(fieldErrorSchema.name),
      description: "One entry for each invalid field; after a hundred, one that says how many more there are",
    },
  },
  { error: "ValidationError", message: "Request validation failed", details: [fieldError] },
);

export const conflictSchema = object(
  "Conflict",
  "A duplicate value",
  { error: text(CODE, { const: "Conflict" }), message, field: text("The field with the duplicate value") },
  {
    error: "Conflict",
    message: "The request with this key is still being processed",
    field: "idempotency-key",
  },
);

export const unexpectedErrorSchema = object(
  "InternalServerError",
  "An unexpected error, or a damaged record; the log has its cause under the request id",
  { error: text(CODE, { const: "InternalServerError" }), message, path },
  formatError(unexpectedError(), "structured", "https://api.example.com/"),
);

/** What `formatProblem` returns. */
export const problemSchema = object(
  "Problem",
  "Problem details (RFC 9457)",
  {
    type: text("Always the same: `code` says which error it is", { const: "about:blank" }),
    title: text("The name of the status"),
    status: { type: "integer", description: "The status" },
    detail: text(MESSAGE),
    instance: path,
    code: text(CODE),
    field: text("The field with the duplicate value"),
    errors: {
      type: "array",
      items: reference(fieldErrorSchema.name),
      description: "All errors of an invalid request",
    },
  },
  formatProblem(unexpectedError(), "https://api.example.com/"),
  ["field", "errors"],
);

const gatewayError = object(
  "GatewayError",
  "An error from the gateway",
  { message },
  { message: "Too Many Requests" },
);

/** Nothing else, so that it is not one of the areas' errors as well: some statuses have both. */
export const gatewayErrorSchema = {
  ...gatewayError,
  schema: { ...gatewayError.schema, additionalProperties: false },
};

function text(description: string, keywords: JsonSchema = {}): JsonSchema {
  return { type: "string", ...keywords, description };
}

function object(
  name: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  example?: unknown,
  optional: readonly string[] = [],
): ErrorSchema {
  const examples = example === undefined ? {} : { examples: [example] };
  const required = Object.keys(properties).filter((field) => !optional.includes(field));
  return { name, schema: { type: "object", properties, required, description, ...examples } };
}
