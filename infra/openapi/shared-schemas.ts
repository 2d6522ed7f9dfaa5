import type { AreaDefinition } from "../../functions/define-area.ts";

/** Examples and descriptions of the schemas and fields that are no area's own. */
export const shared: Required<Pick<AreaDefinition, "examples" | "fields">> = {
  examples: {
    Conflict: {
      error: "Conflict",
      message: "The request with this key is still being processed",
      field: "idempotency-key",
    },
    Detail: { detail: "Not Found" },
    EnvelopeError: { success: false, data: null, error: "Not found" },
    Error: { error: "Not found" },
    GatewayError: { message: "Too Many Requests" },
    InternalServerError: {
      error: "InternalServerError",
      message: "An unexpected error occurred",
      path: "https://api.example.com/",
    },
    ValidationError: {
      error: "ValidationError",
      message: "Request validation failed",
      details: [{ field: "body.name", message: "Required", type: "missing" }],
    },
  },
  fields: {
    created_at: "UTC, with milliseconds",
    detail: "The error message, for people",
    error: "The error message, for people",
    id: "Assigned by the service, never reused",
    items: "The records of this page",
    message: "The error message, for people",
    name: "The name, for people",
    page: "The page number",
    size: "The number of records on a full page",
    total: "The number of records on all pages",
    updated_at: "UTC, with milliseconds; equal to `created_at` until the first change",
    "Conflict.error": "The error code, for programs",
    "EnvelopeError.data": "Always null for an error",
    "EnvelopeError.success": "Always false for an error",
    "InternalServerError.error": "The error code, for programs",
    "ValidationError.details": "One entry for each invalid field, at most a thousand",
    "ValidationError.error": "The error code, for programs",
  },
};
