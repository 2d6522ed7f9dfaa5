import * as z from "zod";
import { Failure, type FailureCode } from "../../lib/failure.ts";
import { area } from "../../lib/http/route.ts";

/** The failure that shows each status. */
const codes: Readonly<Record<string, FailureCode>> = {
  "400": "InvalidArgument",
  "401": "Unauthorized",
  "403": "Forbidden",
  "404": "NotFound",
  "500": "Demonstration",
};

const shared = { tag: "demonstration" } as const;

/** The specification's "Deliberate status examples": they do nothing but fail. */
export const demonstrationRoutes = [
  area<unknown>({ ...shared, dialect: "error" })("GET /error", {
    operationId: "raiseError",
    summary: "Raise an invalid-argument error",
    answers: {},
    failures: { 400: "Always" },
    handle: async () => {
      throw new Failure("InvalidArgument", "This error is raised on purpose");
    },
  }),
  area<unknown>({ ...shared, dialect: "detail" })("GET /errors/{status}", {
    operationId: "showStatus",
    summary: "Answer the status in the path: 400, 401, 403, 404 or 500",
    path: z.object({ status: z.string() }),
    answers: {},
    failures: {
      400: "The path says 400",
      401: "The path says 401",
      403: "The path says 403",
      404: "The path says 404, or a status that is not shown here",
      500: "The path says 500",
    },
    answerHeaders: { 401: ["www-authenticate"] },
    handle: async ({ path: { status } }) => {
      const code = Object.hasOwn(codes, status) ? codes[status] : undefined;
      if (code === undefined) throw new Failure("NotFound", "This status is not shown here");
      throw new Failure(code, `This ${status} is answered on purpose`, {
        headers: code === "Unauthorized" ? { "www-authenticate": "Bearer" } : {},
      });
    },
  }),
];
