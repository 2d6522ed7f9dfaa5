import * as z from "zod";

/** Parameters of a query come as lists of what was sent; where one value is wanted, the last one counts. */
function last(value: unknown): unknown {
  return Array.isArray(value) ? value.at(-1) : value;
}

/** The integer that a text writes, within those that JavaScript holds exactly. */
function integerOf(text: string): number | undefined {
  const number = Number(text);
  return /^-?\d+$/.test(text) && Number.isSafeInteger(number) ? number : undefined;
}

function decimalOf(text: string): number | undefined {
  const number = Number(text);
  return /^-?\d+(\.\d+)?$/.test(text) && Number.isFinite(number) ? number : undefined;
}

function booleanOf(text: string): boolean | undefined {
  const booleans: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };
  return Object.hasOwn(booleans, text) ? booleans[text] : undefined;
}

/** Reads the last value where it is a text, which a parameter always is. */
function reading<T>(read: (text: string) => T | undefined, message: string) {
  return (values: unknown, context: z.core.$RefinementCtx): unknown => {
    const text = last(values);
    if (typeof text !== "string") return text;
    const value = read(text);
    if (value !== undefined) return value;
    context.issues.push({ code: "invalid_type", expected: "nonoptional", input: text, message });
    return z.NEVER;
  };
}

/**
 * An integer in a path or query (docs/decisions.md: an optional minus sign and decimal digits).
 *
 * @param schema the bounds and the default of the number
 */
export function integerParameter<S extends z.ZodType>(schema: S) {
  return z.preprocess(reading(integerOf, "Not a whole number within ±(2^53 - 1), such as 10"), schema);
}

/**
 * A decimal number in a query: an optional minus sign, digits, and a fraction after a point.
 *
 * @param schema the bounds and the default of the number
 */
export function numberParameter<S extends z.ZodType>(schema: S) {
  return z.preprocess(reading(decimalOf, "Not a decimal number, such as 10 or 9.95"), schema);
}

/**
 * A boolean in a query: `true`, `false`, `1` or `0`.
 *
 * @param schema the default of the boolean
 */
export function booleanParameter<S extends z.ZodType>(schema: S) {
  return z.preprocess(reading(booleanOf, "None of true, false, 1 and 0"), schema);
}

/**
 * A text in a query, or one word of several.
 *
 * @param schema what the text has to be
 */
export function textParameter<S extends z.ZodType>(schema: S) {
  return z.preprocess(last, schema);
}

/**
 * A list in a query, given by repeating the parameter or with commas (`fields=a&fields=b`, `fields=a,b`).
 *
 * @param schema what the list of texts has to be
 */
export function listParameter<S extends z.ZodType>(schema: S) {
  return z.preprocess(
    (value) => (Array.isArray(value) ? value.flatMap((text) => String(text).split(",")) : value),
    schema,
  );
}

/**
 * The id in a path whose area answers 404 for anything that names no record: text that is not an integer
 * becomes 0, which no record has, since ids start at 1.
 */
export const recordId = z.preprocess((value) => integerOf(String(value)) ?? 0, z.int());
