import type { FieldError, FieldErrorType } from "../domain/errors.ts";
import { findJsonError } from "./json-error.ts";
import type { RawRequest } from "./request.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A decoded body, or why it cannot be decoded. */
type Decoded<T> = T | { readonly error: FieldError };

/** The parameters of a query or a form: name → the values sent. */
export type ParameterLists = Readonly<Record<string, readonly unknown[]>>;

/** As much as the gateway accepts of request line and headers, which can carry the same parameters. */
const MAX_PARAMETERS_BYTES = 10_240;

/** Longer texts get no position in the message: finding it can take a hundred times as long as parsing. */
const MAX_SEARCHED_LENGTH = 256 * 1024;

/** Reads a JSON body whatever its content type. An absent or empty body has the value undefined. */
export function readJson(
  bytes: Buffer | undefined,
): Decoded<{ readonly value: unknown; readonly text: string }> {
  if (bytes === undefined || bytes.length === 0) return { value: undefined, text: "" };
  const text = decodeUtf8(bytes);
  if (text === undefined) return bodyError("Must be valid UTF-8", "utf8_invalid");
  try {
    return { value: JSON.parse(text), text };
  } catch {
    return bodyError(`Must be valid JSON${describePlace(text)}`, "json_invalid");
  }
}

/** Says where a text is wrong, without repeating it. Columns count Unicode code points, from 1. */
function describePlace(text: string): string {
  if (text.length > MAX_SEARCHED_LENGTH) return "";
  const index = findJsonError(text);
  const lines = text.slice(0, index).split(/\r\n|[\r\n]/);
  const place = `line ${lines.length}, column ${[...(lines.at(-1) ?? "")].length + 1}`;
  return index === text.length ? `: it ends too early, at ${place}` : `: error at ${place}`;
}

/**
 * Reads parameters from a body: the fields of a JSON object whatever the content type, or a form if the content type
 * says so. An absent body has none. A large body is refused before it is parsed, since a megabyte of fields takes
 * seconds to check.
 */
export function readParameters({
  body,
  headers,
}: Pick<RawRequest, "body" | "headers">): Decoded<{ readonly value: ParameterLists }> {
  if (body && body.length > MAX_PARAMETERS_BYTES)
    return bodyError("Must have at most 10,240 bytes", "too_big");
  const json = readJson(body);
  if ("value" in json && isObject(json.value)) return { value: toParameterLists(Object.entries(json.value)) };
  if (body && /^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? "")) {
    const text = decodeUtf8(body);
    if (text !== undefined) return { value: toParameterLists(new URLSearchParams(text)) };
  }
  if ("error" in json) return json;
  return json.value === undefined || json.value === null
    ? { value: {} }
    : bodyError("Must be a JSON object or a form", "invalid_type");
}

/** Collects the values of each name, in the order given. */
export function toParameterLists(entries: Iterable<readonly [string, unknown]>): ParameterLists {
  // Without a prototype, so that a parameter named `__proto__` is a parameter like any other.
  const lists: Record<string, unknown[]> = Object.create(null);
  for (const [name, value] of entries) {
    lists[name] ??= [];
    lists[name].push(value);
  }
  return lists;
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function bodyError(message: string, type: FieldErrorType): { error: FieldError } {
  return { error: { field: "body", message, type } };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
