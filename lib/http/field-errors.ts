import type * as z from "zod/mini";
import { type FieldError, type FieldErrorType, fieldErrorTypes } from "../domain/errors.ts";

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

/** zod reports an absent value as one of these. */
const CODES_OF_MISSING = new Set(["invalid_type", "invalid_value"]);

/** Turns zod's issue into a field error. The message never contains the value that was sent. */
export function fieldError(part: string, issue: Issue): FieldError {
  const field = [part, ...issue.path.map(String)].join(".");
  if (CODES_OF_MISSING.has(issue.code) && issue.input === undefined) {
    const message = issue.path.length === 0 ? "A JSON body is required" : "Required";
    return { field, message, type: "missing" };
  }
  return { field, message: issue.message, type: typeOf(issue) };
}

/** Many of zod's codes are our types; a custom check brings its own in `params.type`. */
function typeOf(issue: Issue): FieldErrorType {
  const type = issue.code === "custom" ? issue.params?.type : issue.code;
  return fieldErrorTypes.find((each) => each === type) ?? "invalid_value";
}

/** The message of an issue whose schema has none of its own. */
export function messageOf(issue: RawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `Must be ${typeNames[issue.expected as string] ?? "of another type"}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `Must be ${String(issue.values[0])}`
        : `Must be one of: ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return "Has an invalid format";
    case "too_small":
      return boundMessage(issue.origin, Number(issue.minimum), issue.inclusive !== false, "least");
    case "too_big":
      return boundMessage(issue.origin, Number(issue.maximum), issue.inclusive !== false, "most");
    default:
      return "Has an invalid value";
  }
}

const typeNames: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "true or false",
  int: "an integer",
  number: "a number",
  object: "an object",
  string: "a string",
};

function boundMessage(origin: string, bound: number, isInclusive: boolean, side: "least" | "most"): string {
  if (origin === "string" || origin === "array") {
    if (side === "least" && bound === 1) return "Must not be empty";
    const [one, many] = origin === "string" ? ["character", "characters"] : ["entry", "entries"];
    return `Must have at ${side} ${bound} ${bound === 1 ? one : many}`;
  }
  if (isInclusive) return `Must be at ${side} ${bound}`;
  return `Must be ${side === "least" ? "greater" : "less"} than ${bound}`;
}
