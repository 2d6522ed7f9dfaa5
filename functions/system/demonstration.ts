import * as z from "zod";
import { ApiError, type ErrorCode } from "../../lib/domain/errors.ts";
import { routeBuilder } from "../../lib/http/route.ts";

/** The failure that shows each status. */
const codes: Readonly<Record<string, ErrorCode>> = {
  "400": "InvalidArgument",
  "401": "Unauthorized",
  "403": "Forbidden",
  "404": "NotFound",
  "500": "Demonstration",
};

const shared = { tag: "demonstration" } as const;

/** The specification's "Deliberate status examples": they do nothing but fail. */
export const demonstrationRoutes = [
  routeBuilder<unknown>({ ...shared, errorFormat: "error" })("GET /error", {
    operationId: "raiseError",
    summary: "Raise an invalid-argument error",
    description:
      "It does what any operation does whose argument is wrong, so that clients can try how they take it.",
    responses: {},
    errors: { 400: { when: "Always", example: raised() } },
    handle: async () => {
      throw raised();
    },
  }),
  routeBuilder<unknown>({ ...shared, errorFormat: "detail" })("GET /errors/{status}", {
    operationId: "showStatus",
    summary: "Answer the status in the path: 400, 401, 403, 404 or 500",
    description: "Nothing is done but that. Any other status, also one that there is, is 404.",
    path: z.object({ status: z.string().describe("The status to answer") }),
    responses: {},
    errors: {
      400: { when: "The path says 400", example: shown("400") },
      401: { when: "The path says 401", example: shown("401") },
      403: { when: "The path says 403", example: shown("403") },
      404: { when: "The path says 404, or a status that is not shown here", example: shown("404") },
      500: { when: "The path says 500", example: shown("500") },
    },
    handle: async ({ path: { status } }) => {
      throw shown(status);
    },
  }),
];

function raised(): ApiError {
  return new ApiError("InvalidArgument", "This error is raised on purpose");
}

function shown(status: string): ApiError {
  const code = Object.hasOwn(codes, status) ? codes[status] : undefined;
  if (code === undefined) return new ApiError("NotFound", "This status is not shown here");
  return new ApiError(code, `This ${status} is answered on purpose`, {
    headers: code === "Unauthorized" ? { "www-authenticate": "Bearer" } : {},
  });
}
