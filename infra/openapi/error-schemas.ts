import { fieldErrorTypes } from "../../lib/domain/errors.ts";
import type { ErrorFormat } from "../../lib/http/errors.ts";
import type { JsonSchema } from "./model.ts";

/** A body that failures have, under a name of the document's. */
export interface Shape {
  readonly name: string;
  readonly schema: JsonSchema;
}

const text = { type: "string" } as const;

function object(properties: Readonly<Record<string, JsonSchema>>, description: string): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), description };
}

/** The body of each dialect (docs/errors.md); `empty` has none. */
export const dialectShapes: Readonly<Record<ErrorFormat, Shape | undefined>> = {
  error: { name: "Error", schema: object({ error: text }, "A failure of the dialect `error`") },
  detail: { name: "Detail", schema: object({ detail: text }, "A failure of the dialect `detail`") },
  structured: {
    name: "StructuredError",
    schema: object(
      {
        error: { ...text, description: "A word for programs" },
        message: { ...text, description: "A sentence for people" },
        path: { ...text, format: "uri", description: "The request's URL" },
      },
      "A failure of the dialect `structured`",
    ),
  },
  envelope: {
    name: "EnvelopeError",
    schema: object(
      { success: { type: "boolean", const: false }, data: { type: "null" }, error: text },
      "A failure in the envelope of `GET /users/{id}`",
    ),
  },
  empty: undefined,
};

/** Of every area: a request that does not fit its declaration. */
export const validationShape: Shape = {
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
            field: { ...text, description: "The place, joined with dots: `body.title`, `query.page`" },
            message: { ...text, description: "A sentence for people" },
            type: { ...text, enum: fieldErrorTypes, description: "A word for programs" },
          },
          "One way in which the request fails",
        ),
      },
    },
    "All that does not fit in a request",
  ),
};

/** Of every area: a value that must be unique and is taken. */
export const conflictShape: Shape = {
  name: "Conflict",
  schema: object(
    { error: { ...text, const: "Conflict" }, message: text, field: { ...text, description: "Which value" } },
    "A value that is taken",
  ),
};

/** Of every area: a defect of the service. */
export const unexpectedShape: Shape = {
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

/** What the gateway says by itself. */
export const gatewayShape: Shape = {
  name: "GatewayError",
  schema: object({ message: text }, "A failure of the gateway's own"),
};
