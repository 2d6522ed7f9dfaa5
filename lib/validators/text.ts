import * as z from "zod";

/** `continue`: a length that does not fit must not hide what else is wrong. */
const common = { inclusive: true, continue: true } as const;

interface TextBounds {
  /** The least number of Unicode code points. */
  readonly min?: number;
  /** The greatest number of Unicode code points. */
  readonly max?: number;
}

/**
 * A string whose length is counted in Unicode code points: 200 emoji are 200, not 400 (docs/decisions.md).
 * A lone surrogate is refused, since it is no character and cannot be stored as UTF-8.
 *
 * @param bounds inclusive limits of its length
 */
export function text({ min, max }: TextBounds = {}) {
  const bounds = {
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
  };
  return z
    .string()
    .check(({ value, issues }) => {
      if (!value.isWellFormed()) {
        issues.push({
          code: "invalid_format",
          format: "unicode",
          input: value,
          message: "The text is not valid Unicode",
        });
      }
      const length = codePoints(value);
      if (min !== undefined && length < min) {
        issues.push({ code: "too_small", origin: "string", minimum: min, ...common, input: value });
      }
      if (max !== undefined && length > max) {
        issues.push({ code: "too_big", origin: "string", maximum: max, ...common, input: value });
      }
    })
    .meta(bounds);
}

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}
