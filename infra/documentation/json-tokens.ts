/** A part of JSON text; `undefined` for what is not coloured. */
interface Token {
  readonly text: string;
  readonly kind: "name" | "string" | "literal" | undefined;
}

/** Splits JSON into parts to colour. Their texts together are the given text. */
export function jsonTokens(json: string): Token[] {
  // A string that is cut off ends with the text: looking for its end from each character would take seconds.
  const pattern = /("(?:[^"\\]|\\.?)*"?)(\s*:)?|(true|false|null|-?\d[\d.eE+-]*)|[^"\dtfn-]+|./gs;
  return [...json.matchAll(pattern)].flatMap(([all, string, colon, literal]): Token[] => {
    if (string === undefined) return [{ text: all, kind: literal === undefined ? undefined : "literal" }];
    if (colon === undefined) return [{ text: string, kind: "string" }];
    return [
      { text: string, kind: "name" },
      { text: colon, kind: undefined },
    ];
  });
}
