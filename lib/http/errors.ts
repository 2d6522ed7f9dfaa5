import { ApiError, DamagedRecord, type ErrorCode } from "../domain/errors.ts";

/** The shape of an error body (specification, "Error body shapes"), one per area. */
export type ErrorFormat = "error" | "detail" | "structured" | "envelope" | "empty";

/** The HTTP status of each error code (specification, "Status codes in use"). */
export const statusByCode = {
  InvalidArgument: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  PreconditionFailed: 412,
  UnsupportedMediaType: 415,
  ValidationError: 422,
  TooManyRequests: 429,
  InternalServerError: 500,
  ServiceUnavailable: 503,
} as const satisfies Record<ErrorCode, number>;

export type ErrorStatus = (typeof statusByCode)[ErrorCode];

/** Formats an error as a JSON body; undefined for none. The structured format repeats the URL as `path`. */
export function formatError({ code, message, details, field }: ApiError, format: ErrorFormat, url: string) {
  if (code === "ValidationError") return { error: code, message, details };
  if (code === "Conflict") return { error: code, message, field };
  const bodies = {
    error: { error: message },
    detail: { detail: message },
    structured: { error: code, message, path: url },
    envelope: { success: false, data: null, error: message },
    empty: undefined,
  };
  return bodies[format];
}

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** Whether `Accept` prefers problem details to plain JSON, by their weights, and then by their order. */
export function acceptsProblem(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes(PROBLEM_MEDIA_TYPE)) return false;
  // Parameters of a media type, such as a charset, make no difference.
  const weights = parseWeights(accept.replace(/;(?!\s*q=)[^;,]*/gi, ""));
  const problem = weights.get(PROBLEM_MEDIA_TYPE) ?? 0;
  const plain = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0;
  const [first] = [...weights.keys()].filter(
    (name) => name === PROBLEM_MEDIA_TYPE || name === "application/json",
  );
  return problem > plain || (problem > 0 && problem === plain && first === PROBLEM_MEDIA_TYPE);
}

/** Formats an error as problem details (RFC 9457). The query is left out: people put secrets there by mistake. */
export function formatProblem({ code, message, field, details }: ApiError, url: string) {
  const status = statusByCode[code];
  const title = process.getBuiltinModule("node:http").STATUS_CODES[status];
  const errors = details.length > 0 ? details : undefined;
  const instance = url.replace(/\?.*/s, "");
  return { type: "about:blank", title, status, detail: message, instance, code, field, errors };
}

export function errorHeaders({ headers, retryAfterSeconds }: ApiError): Readonly<Record<string, string>> {
  return retryAfterSeconds === undefined ? headers : { ...headers, "retry-after": String(retryAfterSeconds) };
}

/** What clients get for a defect. The cause is hidden and logged, unless it is a damaged record. */
export function unexpectedError(cause?: unknown): ApiError {
  const message = cause instanceof DamagedRecord ? cause.message : "An unexpected error occurred";
  return new ApiError("InternalServerError", message);
}

/** @param allowedMethods of the path; empty for an unknown path */
export function routeNotFound(allowedMethods: readonly string[]): ApiError {
  if (allowedMethods.length === 0) return new ApiError("NotFound", "Not Found");
  return new ApiError("MethodNotAllowed", "Method Not Allowed", { headers: allowHeader(allowedMethods) });
}

/** HEAD is allowed where GET is, and OPTIONS everywhere. */
export function allowHeader(methods: readonly string[]): { readonly allow: string } {
  const implied = methods.includes("GET") ? ["HEAD", "OPTIONS"] : ["OPTIONS"];
  return { allow: [...methods, ...implied].sort().join(", ") };
}

const ELEMENT = /^\s*([^\s;]+)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?\s*$/;

/** Reads the weights of `Accept` or `Accept-Encoding` (RFC 9110, 12.4.2), by name in lower case. */
export function parseWeights(header = ""): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.toLowerCase().split(",")) {
    const [, name, weight = "1"] = ELEMENT.exec(element) ?? [];
    if (name !== undefined) weights.set(name, Math.min(1, Number(weight)));
  }
  return weights;
}
