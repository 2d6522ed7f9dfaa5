type Compare = (actual: unknown) => boolean;

const TERM = /^\(\$\.(\w+) (!?=) (?:"([^"\\]*)"|(-?\d+))\)$/;

/**
 * Reads a metric filter's pattern as CloudWatch Logs does: comparisons, or alternatives of them, joined with `&&`.
 * @returns whether a line matches; it throws for what the documentation leaves open
 */
export function filterPattern(pattern: string): (line: string) => boolean {
  const [, all = ""] = /^\{ (.+) \}$/s.exec(pattern) ?? [];
  const terms = all.split(" && ").map((term) =>
    term
      .replace(/^\((\(.+\))\)$/, "$1")
      .split(" || ")
      .map((each) => {
        const [, field, operator, text, number] = TERM.exec(each) ?? [];
        if (field === undefined) throw new Error(`Not a comparison that is known here: ${each || pattern}`);
        const isEqual = text === undefined ? equalsNumber(Number(number)) : matchesText(text);
        return { field, compare: operator === "=" ? isEqual : (actual: unknown) => !isEqual(actual) };
      }),
  );
  return (line) => {
    const record = recordOf(line);
    if (record === undefined) return false;
    return terms.every((alternatives) =>
      alternatives.some(({ field, compare }) => {
        if (!(field in record)) throw new Error(`The line has no ${field}: ${line}`);
        return compare(record[field]);
      }),
    );
  };
}

function recordOf(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  return JSON.parse(line) as Record<string, unknown>;
}

function equalsNumber(expected: number): Compare {
  return (actual) => actual === expected;
}

function matchesText(expected: string): Compare {
  const parts = expected.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`^${parts.join(".*")}$`, "s");
  return (actual) => typeof actual === "string" && pattern.test(actual);
}
