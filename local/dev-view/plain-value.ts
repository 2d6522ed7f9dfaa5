/** An attribute's value without its types. A number that JavaScript would round stays a text. */
export function plainValue(value: unknown): unknown {
  const [[type, content] = []] = Object.entries(Object(value));
  if (type === "N") return Math.abs(Number(content)) <= Number.MAX_SAFE_INTEGER ? Number(content) : content;
  if (type === "L") return (content as unknown[]).map(plainValue);
  return type === "M" ? plainItem(Object(content)) : content;
}

/** An item as an object, with its attributes in alphabetical order. */
export function plainItem(item: object): Record<string, unknown> {
  const attributes = Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(attributes.map(([name, value]) => [name, plainValue(value)]));
}
