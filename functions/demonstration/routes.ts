import * as z from "zod/mini";
import { ApiError, type ErrorCode } from "../../lib/domain/errors.ts";
import { statusByCode } from "../../lib/http/errors.ts";
import { routeBuilder } from "../../lib/http/route.ts";
import { withMetadata } from "../../lib/validators/metadata.ts";

const codes: readonly ErrorCode[] = [
  "InvalidArgument",
  "Unauthorized",
  "Forbidden",
  "NotFound",
  "InternalServerError",
];

const demonstration = { tag: "demonstration", access: "public", dependencies: () => ({}) } as const;

/** The specification's "Demonstration of errors": they only fail. */
export const routes = [
  routeBuilder<unknown>({ ...demonstration, errorFormat: "error" })("GET /error", {
    operationId: "raiseError",
    summary: "Raise an invalid-argument error",
    description: "Clients can test with it how they handle an invalid argument.",
    responses: {},
    errors: { 400: { when: "Always", example: invalidArgument() } },
    handle: async () => {
      throw invalidArgument();
    },
  }),
  routeBuilder<unknown>({ ...demonstration, errorFormat: "detail" })("GET /errors/{status}", {
    operationId: "showStatus",
    summary: "Respond with the status in the path: 400, 401, 403, 404 or 500",
    description: "Any other status is a 404.",
    request: {
      path: z.object({ status: withMetadata(z.string(), { description: "The status to respond with" }) }),
    },
    responses: {},
    errors: {
      400: { when: "The path says 400", example: errorWithStatus("400") },
      401: { when: "The path says 401", example: errorWithStatus("401") },
      403: { when: "The path says 403", example: errorWithStatus("403") },
      404: { when: "The path says 404 or an unsupported status", example: errorWithStatus("404") },
      500: { when: "The path says 500", example: errorWithStatus("500") },
    },
    handle: async ({ path: { status } }) => {
      throw errorWithStatus(status);
    },
  }),
];

function invalidArgument(): ApiError {
  return new ApiError("InvalidArgument", "This error is raised on purpose");
}

function errorWithStatus(status: string): ApiError {
  const code = codes.find((each) => String(statusByCode[each]) === status);
  if (code === undefined) return new ApiError("NotFound", "Use one of 400, 401, 403, 404 and 500");
  return new ApiError(code, `This ${status} is returned on purpose`, {
    headers: code === "Unauthorized" ? { "www-authenticate": "Bearer" } : {},
  });
}
