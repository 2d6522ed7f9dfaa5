import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** A line of `<area>.jsonl`, such as `["POST /todos",{"title":"Renew the domain"}]`. */
type DemoRequest = readonly [request: string, body?: unknown];

const folder = import.meta.dirname;
const areas = globSync("*.jsonl", { cwd: folder }).map((file) => basename(file, ".jsonl"));

export function requestsOf(area: string): DemoRequest[] {
  const lines = readFileSync(`${folder}/${area}.jsonl`, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** Fills a new service, whose first products are the sample catalog. @throws Error if a request failed */
export async function loadDemo(url: string, password: string): Promise<void> {
  let token: string | undefined;
  async function send([request, body]: DemoRequest): Promise<{ readonly access_token?: string }> {
    const [method = "", target = ""] = request.split(" ");
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(url + target, sent);
    if (!response.ok) throw new Error(`${request}: ${response.status} ${await response.text()}`);
    return (await response.json()) as object;
  }
  // One after the other within an area, because that decides the ids.
  async function load(area: string): Promise<void> {
    for (const request of requestsOf(area)) await send(request);
  }
  ({ access_token: token } = await send(["POST /auth/login", { username: "admin", password }]));
  // Orders need the products.
  const isLast = (area: string) => area === "orders";
  await Promise.all(areas.filter((area) => !isLast(area)).map(load));
  await Promise.all(areas.filter(isLast).map(load));
}
