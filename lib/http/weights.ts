const ELEMENT = /^\s*([^\s;]+)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?\s*$/;

/** Reads the weights of `Accept` or `Accept-Encoding` (RFC 9110, 12.4.2), by name in lower case. */
export function parseWeights(header = ""): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.toLowerCase().split(",")) {
    const [, name, weight = "1"] = ELEMENT.exec(element) ?? [];
    if (name !== undefined) weights.set(name, Math.min(1, Number(weight)));
  }
  return weights;
}
