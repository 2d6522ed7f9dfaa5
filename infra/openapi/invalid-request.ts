import { type ApiError, type FieldError, validationError } from "../../lib/domain/errors.ts";
import { fieldError, messageOf } from "../../lib/http/field-errors.ts";
import { errorOfRoute } from "../../lib/http/response.ts";
import type { Route } from "../../lib/http/route.ts";

const missingBody: FieldError = { field: "body", message: "A JSON body is required", type: "missing" };

/** The error of a route for a request without a field, or with an empty one; undefined if it has no such field. */
export function invalidRequestError(route: Route): ApiError | undefined {
  const firstError = (part: "body" | "query" | "path", value?: string) => {
    const { [part]: schema } = route.request;
    const names = value !== undefined && schema && "shape" in schema ? Object.keys(schema.shape) : [];
    const fields = Object.fromEntries(names.map((name) => [name, value]));
    const { error } = schema?.safeParse(fields, { reportInput: true, error: messageOf }) ?? {};
    return error?.issues.slice(0, 1).map((issue) => fieldError(part, issue))[0];
  };
  const error =
    firstError("body") ??
    (route.request.body && missingBody) ??
    firstError("query") ??
    firstError("query", "") ??
    firstError("path", "");
  return error && errorOfRoute(validationError([error]), route).error;
}

export function exampleUrl({ pattern }: Route): string {
  return `https://api.example.com${pattern.replace(/\{\w+\}/g, "7")}`;
}
