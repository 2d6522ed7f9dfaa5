import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { routesByGroup } from "../functions/groups.ts";
import { dispatcher } from "../lib/http/dispatch.ts";
import type { Route } from "../lib/http/route.ts";

/** The requests of the file: each has a title, a line with method and address, headers, and perhaps a body. */
const requests = readFileSync("docs/examples/requests.http", "utf8")
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const lines = text.trim().split("\n");
    const [title = "", ...rest] = lines.filter((line) => !line.startsWith("# "));
    const [, method = "", target = ""] = /^(\w+) \{\{url\}\}(\S+)$/.exec(rest[0] ?? "") ?? [];
    const end = rest.indexOf("");
    return { title, method, target, body: end < 0 ? undefined : rest.slice(end + 1).join("\n") };
  });

/** The groups that declare the operation; the fallback holds some of another's. */
function groupsOf(method: string, target: string): string[] {
  const path = target.replace(/\?.*$/, "");
  return Object.entries(routesByGroup)
    .filter(([, routes]) => dispatcher(routes as readonly Route<never>[])(method, path).route !== undefined)
    .map(([group]) => group);
}

describe("docs/examples/requests.http", () => {
  it.each(requests)(
    "$title: $method $target is an operation of that group",
    ({ title, method, target, body }) => {
      expect(groupsOf(method, target)).toContain(title.replace(/:.*$/, ""));
      expect(() => JSON.parse(body ?? "null")).not.toThrow();
    },
  );

  it("has a request for every group", () => {
    const groups = new Set(requests.map(({ title }) => title.replace(/:.*$/, "")));

    expect([...groups].sort()).toEqual(Object.keys(routesByGroup).sort());
  });
});
