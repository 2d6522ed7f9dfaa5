import { fieldErrorTypes } from "../../lib/domain/errors.ts";
import type { ErrorFormat } from "../../lib/http/errors.ts";
import type { JsonSchema } from "./model.ts";

/** The schema of an error body, and its name in the document. */
export interface ErrorSchema {
  readonly name: string;
  readonly schema: JsonSchema;
}

const text = { type: "string" } as const;

function object(properties: Readonly<Record<string, JsonSchema>>, description: string): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), description };
}

/** The body of each error format (specification, "Error body shapes"); `empty` has none. */
export const errorFormatSchemas: Readonly<Record<ErrorFormat, ErrorSchema | undefined>> = {
  error: { name: "Error", schema: object({ error: text }, "An error in the format `error`") },
  detail: { name: "Detail", schema: object({ detail: text }, "An error in the format `detail`") },
  structured: {
    name: "StructuredError",
    schema: object(
      {
        error: { ...text, description: "The error code, for programs" },
        message: { ...text, description: "The error message, for people" },
        path: { ...text, format: "uri", description: "The request's URL" },
      },
      "An error in the format `structured`",
    ),
  },
  envelope: {
    name: "EnvelopeError",
    schema: object(
      { success: { type: "boolean", const: false }, data: { type: "null" }, error: text },
      "An error in the envelope of `GET /users/{id}`",
    ),
  },
  empty: undefined,
};

/** The body for an invalid request, in every area without an error of its own for it. */
export const validationErrorSchema: ErrorSchema = {
  name: "ValidationError",
  schema: object(
    {
      error: { ...text, const: "ValidationError" },
      message: { ...text, const: "Request validation failed" },
      details: {
        type: "array",
        minItems: 1,
        items: object(
          {
            field: { ...text, description: "The path of the field: `body.title`, `query.page`" },
            message: { ...text, description: "The error message, for people" },
            type: { ...text, enum: fieldErrorTypes, description: "The error type, for programs" },
          },
          "One invalid field",
        ),
      },
    },
    "All errors of an invalid request",
  ),
};

/** The body for a duplicate value, in every area. */
export const conflictSchema: ErrorSchema = {
  name: "Conflict",
  schema: object(
    {
      error: { ...text, const: "Conflict" },
      message: text,
      field: { ...text, description: "The field with the duplicate value" },
    },
    "A duplicate value",
  ),
};

/** The body for a defect of the service, in every area. */
export const unexpectedErrorSchema: ErrorSchema = {
  name: "InternalServerError",
  schema: object(
    {
      error: { ...text, const: "InternalServerError" },
      message: { ...text, const: "An unexpected error occurred" },
      path: { ...text, format: "uri", description: "The request's URL" },
    },
    "An unexpected error; the log has its cause under the request id",
  ),
};

/** The body of the gateway's own errors. */
export const gatewayErrorSchema: ErrorSchema = {
  name: "GatewayError",
  schema: object({ message: text }, "An error from the gateway"),
};
