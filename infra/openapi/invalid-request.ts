import { type ApiError, type FieldError, validationError } from "../../lib/domain/errors.ts";
import { fieldError, messageOf } from "../../lib/http/field-errors.ts";
import { errorOfRoute } from "../../lib/http/response.ts";
import type { Route } from "../../lib/http/route.ts";

const missingBody: FieldError = { field: "body", message: "A JSON body is required", type: "missing" };

/** The error of a route for a request without fields, or with empty ones; undefined if it has none. */
export function invalidRequestError(route: Route): ApiError | undefined {
  const errorsOf = (part: "body" | "query" | "path", value?: string) => {
    const { [part]: schema } = route.request;
    const names = value !== undefined && schema && "shape" in schema ? Object.keys(schema.shape) : [];
    const fields = Object.fromEntries(names.map((name) => [name, value]));
    const { error } = schema?.safeParse(fields, { reportInput: true, error: messageOf }) ?? {};
    return error?.issues.map((issue) => fieldError(part, issue));
  };
  const errors =
    errorsOf("body") ??
    (route.request.body && [missingBody]) ??
    errorsOf("query") ??
    errorsOf("query", "")?.slice(0, 1) ??
    errorsOf("path", "");
  return errors && errorOfRoute(validationError(errors), route).error;
}

export function exampleUrl({ pattern }: Route): string {
  return `https://api.example.com${pattern.replace(/\{\w+\}/g, "7")}`;
}
