/** An attribute's value without its types. A number that JavaScript would round stays a text. */
export function plainValue(value: unknown): unknown {
  const [[type, content] = []] = Object.entries(Object(value));
  if (type === "N") return Math.abs(Number(content)) <= Number.MAX_SAFE_INTEGER ? Number(content) : content;
  if (type === "L") return (content as unknown[]).map(plainValue);
  return type === "M" ? plainItem(Object(content)) : content;
}

export function plainItem(item: object): Record<string, unknown> {
  const names = Object.keys(item).sort();
  return Object.fromEntries(names.map((name) => [name, plainValue(item[name as keyof typeof item])]));
}
