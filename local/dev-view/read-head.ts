/** Reads what people wrote: the method with the target, then a line for each header. */
export function readHead(text: string) {
  const [first = "", ...lines] = text.split("\n").filter((line) => line.trim() !== "");
  const [method = "", target = "/"] = first.trim().split(" ");
  const headers = lines.map((line): [string, string] => {
    const [name = "", ...value] = line.split(":");
    return [name.trim(), value.join(":").trim()];
  });
  return { method, target, headers };
}
