import * as z from "zod/mini";
import { withMetadata } from "./metadata.ts";
import { preprocess } from "./preprocess.ts";

/** Parameters arrive as lists of the values sent; the last one counts (docs/decisions.md). */
function lastOf(value: unknown): unknown {
  return Array.isArray(value) ? value.at(-1) : value;
}

function parseInteger(text: string): number | undefined {
  const number = Number(text);
  return /^-?\d+$/.test(text) && Number.isSafeInteger(number) ? number : undefined;
}

function parseDecimal(text: string): number | undefined {
  const number = Number(text);
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number.isFinite(number) ? number : undefined;
}

function parseBoolean(text: string): boolean | undefined {
  const index = ["false", "0", "true", "1"].indexOf(text.toLowerCase());
  return index < 0 ? undefined : index > 1;
}

/** Parses the last value. Values that are no text come from a JSON body and are left to the schema. */
function parameter<T>(parse: (text: string) => T | undefined, message: string) {
  const parseLast = (values: unknown, context: z.core.ParsePayload): unknown => {
    const text = lastOf(values);
    const value = typeof text === "string" ? parse(text) : text;
    if (typeof text !== "string" || value !== undefined) return value;
    context.issues.push({ code: "invalid_type", expected: "nonoptional", input: text, message });
    return z.NEVER;
  };
  return <S extends z.ZodMiniType>(schema: S, description: string) =>
    withMetadata(preprocess(parseLast, schema), { description });
}

/** An integer in a path or query: an optional minus sign and decimal digits, within the safe integers. */
export const integerParameter = parameter(parseInteger, "Must be an integer within ±(2^53 - 1), such as 10");

/** A decimal number in a query, with an exponent as well: JavaScript writes 0.0000001 as `1e-7`. */
export const numberParameter = parameter(parseDecimal, "Must be a decimal number, such as 10, 9.95 or 1e-7");

/** A boolean in a query: `true` or `false` in any case, since Python writes `True`, or `1` or `0`. */
export const booleanParameter = parameter(parseBoolean, "Must be true, false, 1 or 0");

export function textParameter<S extends z.ZodMiniType>(schema: S, description: string, example?: string) {
  return withMetadata(preprocess(lastOf, schema), { description, ...(example && { examples: [example] }) });
}

export function isEmpty(value: unknown): boolean {
  return lastOf(value) === "";
}

/** An empty filter is not applied, as the specification says of products: as if it were absent. */
export function filter<S extends z.ZodMiniType>(schema: S) {
  return preprocess((value) => (isEmpty(value) ? undefined : value), schema);
}

/** A list in a query, given by repetition or with commas: `fields=a&fields=b` or `fields=a,b`. */
export function listParameter<S extends z.ZodMiniType>(schema: S, description: string) {
  const split = (value: unknown) =>
    Array.isArray(value) ? value.flatMap((text) => String(text).split(",")) : value;
  return withMetadata(preprocess(split, schema), { description });
}

/** An id in the path of an area that responds with 404 to any text: no record has the id 0. */
export function recordId(description: string) {
  return withMetadata(
    preprocess((value) => parseInteger(String(value)) ?? 0, z.int()),
    { description },
  );
}
