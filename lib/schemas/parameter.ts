import * as z from "zod";

/** Parameters of a query come as lists of what was sent; where one value is wanted, the last one counts. */
function last(value: unknown): unknown {
  return Array.isArray(value) ? value.at(-1) : value;
}

/** Text of the given form within the numbers that JavaScript holds exactly becomes a number; the rest stays. */
function toNumber(form: RegExp, isExact: (number: number) => boolean) {
  return (value: unknown): unknown => {
    const text = last(value);
    if (typeof text !== "string" || !form.test(text)) return text;
    const number = Number(text);
    return isExact(number) ? number : text;
  };
}

const toInteger = toNumber(/^-?\d+$/, Number.isSafeInteger);
const toDecimal = toNumber(/^-?\d+(\.\d+)?$/, Number.isFinite);
const booleans: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

/**
 * An integer in a path or query (README, "Decisions": an optional minus sign and decimal digits).
 *
 * @param schema the bounds and the default of the number
 */
export function integerParameter<S extends z.ZodType>(schema: S) {
  return z.preprocess(toInteger, schema);
}

/**
 * A decimal number in a query: an optional minus sign, digits, and a fraction after a point.
 *
 * @param schema the bounds and the default of the number
 */
export function numberParameter<S extends z.ZodType>(schema: S) {
  return z.preprocess(toDecimal, schema);
}

/**
 * A boolean in a query: `true`, `false`, `1` or `0`.
 *
 * @param schema the default of the boolean
 */
export function booleanParameter<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => {
    const text = last(value);
    return typeof text === "string" && Object.hasOwn(booleans, text) ? booleans[text] : text;
  }, schema);
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
export const recordId = z.preprocess((value) => {
  const number = toInteger(value);
  return typeof number === "number" ? number : 0;
}, z.int());
