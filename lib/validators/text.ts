import * as z from "zod/mini";
import { withMetadata } from "./metadata.ts";

/** `continue`: an invalid length must not hide other errors. */
const bound = { inclusive: true, continue: true } as const;

interface TextBounds {
  readonly min?: number;
  readonly max?: number;
}

/** A string whose length counts Unicode code points (docs/decisions.md). Lone surrogates cannot be stored. */
export function text({ min, max }: TextBounds = {}) {
  const schema = z.string().check(({ value, issues }) => {
    if (!value.isWellFormed()) {
      const message = "Must be valid Unicode text";
      issues.push({ code: "invalid_format", format: "unicode", input: value, message });
    }
    // A code point has one or two UTF-16 units, so few texts have to be counted.
    if (min !== undefined && value.length < 2 * min && countCodePoints(value) < min)
      issues.push({ code: "too_small", origin: "string", minimum: min, ...bound, input: value });
    if (max !== undefined && value.length > max && countCodePoints(value) > max)
      issues.push({ code: "too_big", origin: "string", maximum: max, ...bound, input: value });
  });
  return withMetadata(schema, {
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
  });
}

export function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}
