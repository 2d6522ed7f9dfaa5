import type { FieldError, FieldErrorType } from "../domain/errors.ts";
import type { RawRequest } from "./request.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A decoded body, or why it cannot be decoded. */
export type Decoded<T> = { readonly value: T } | { readonly failure: FieldError };

interface Json {
  readonly value: unknown;
  readonly text: string;
}

/**
 * Reads a JSON body whatever its content type says. An absent or empty body is undefined.
 *
 * @returns the value and the text that it was read from
 */
export function readJson(bytes: Buffer | undefined): Json | { readonly failure: FieldError } {
  if (bytes === undefined || bytes.length === 0) return { value: undefined, text: "" };
  const text = decode(bytes);
  if (text === undefined) return refused("The body is not valid UTF-8", "utf8_invalid");
  try {
    return { value: JSON.parse(text), text };
  } catch {
    return refused("The body is not valid JSON", "json_invalid");
  }
}

/**
 * Reads a body that carries parameters: the fields of a JSON object whatever the content type says, or a form
 * where the content type says so.
 *
 * @returns the parameters as a query's are, lists of what was sent; none for an absent body
 */
export function readParameters({ body, headers }: RawRequest): Decoded<Record<string, readonly unknown[]>> {
  const json = readJson(body);
  if ("value" in json && isObject(json.value)) {
    return { value: parameters(Object.entries(json.value)) };
  }
  if (body && /^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? "")) {
    const text = decode(body);
    if (text !== undefined) return { value: parameters(new URLSearchParams(text)) };
  }
  if ("failure" in json) return json;
  return json.value === undefined || json.value === null
    ? { value: {} }
    : refused("The body is neither a JSON object nor a form", "invalid_type");
}

/** Without a prototype, so that a parameter named `__proto__` is a parameter like any other. */
function parameters(entries: Iterable<readonly [string, unknown]>): Record<string, readonly unknown[]> {
  const lists: Record<string, unknown[]> = Object.create(null);
  for (const [name, value] of entries) {
    lists[name] ??= [];
    lists[name].push(value);
  }
  return lists;
}

function decode(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function refused(message: string, type: FieldErrorType): { failure: FieldError } {
  return { failure: { field: "body", message, type } };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
