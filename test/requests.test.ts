import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { routesByArea } from "../functions/definitions.ts";
import type { Route } from "../lib/http/route.ts";
import { createRouter } from "../lib/http/router.ts";
import { credentials } from "./support/data/credentials.ts";
import { expectGenerated } from "./support/generated.ts";
import { runInMemory } from "./support/programs/run.ts";
import { requestFile, sentRoutes } from "./support/request-file.ts";

interface FileRequest {
  readonly title: string;
  /** The name by which later requests refer to its response; set by a line `# @name`. */
  readonly name: string | undefined;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The requests of the file: title, request line, headers and optional body. */
const requests = readFileSync("docs/examples/requests.http", "utf8")
  .split(/^### /m)
  .slice(1)
  .map((text): FileRequest => {
    const lines = text.trim().split("\n");
    const [title = "", start = "", ...rest] = lines.filter((line) => !line.startsWith("# "));
    const [, method = "", target = ""] = /^(\w+) \{\{url\}\}(\S+)$/.exec(start) ?? [];
    const end = rest.indexOf("");
    const headers = rest.slice(0, end < 0 ? rest.length : end).map((line) => line.split(": "));
    return {
      title,
      name: /^# @name (\w+)$/m.exec(text)?.[1],
      method,
      target,
      headers: Object.fromEntries(headers),
      body: end < 0 ? undefined : rest.slice(end + 1).join("\n"),
    };
  });

/** The areas that declare the operation. */
function areasOf({ method, target }: FileRequest): string[] {
  const path = target.replace(/\?.*$/, "");
  return Object.entries(routesByArea)
    .filter(([, routes]) => createRouter(routes as readonly Route[])(method, path).route !== undefined)
    .map(([area]) => area);
}

describe.each([
  { seed: "catalog", withDemo: false },
  { seed: "demo", withDemo: true },
])("docs/examples/requests.http with SEED=$seed", async ({ withDemo }) => {
  const responses: Record<string, Record<string, unknown>> = {};
  const run = await runInMemory({ withDemo });
  afterAll(() => run.close());

  /** Replaces references in double braces, as an editor does: variables and members of earlier responses. */
  function fillIn(text: string): string {
    const variables: Record<string, string> = {
      apiKey: credentials.apiKey,
      adminPassword: credentials.admin.password,
    };
    return text.replaceAll(/\{\{([\w.]+)\}\}/g, (_, reference: string) => {
      const [name = "", , , member = ""] = reference.split(".");
      return String(variables[reference] ?? responses[name]?.[member]);
    });
  }

  it.each(requests)("$title: $method $target succeeds after the requests before it", async (request) => {
    const { title, name, method, target, headers, body } = request;
    expect(areasOf(request)).toContain(title.replace(/:.*$/, ""));
    const sent = Object.entries(headers).map(([header, value]): [string, string] => [header, fillIn(value)]);
    const response = await fetch(run.url + fillIn(target), {
      method,
      headers: sent,
      ...(body !== undefined && { body: fillIn(body) }),
    });
    const text = await response.text();

    expect(response.status, text).toBeLessThan(300);
    if (name !== undefined) responses[name] = JSON.parse(text);
  });
});

describe("docs/examples/requests.http", () => {
  it("is as the example requests say", async () => {
    expectGenerated("docs/examples/requests.http", await requestFile());
  });

  it("has a request for every route that can succeed, and so for every area", () => {
    const titles = requests.map(({ title }) => title.replace(/^.*?: /, ""));
    const areas = new Set(requests.map(({ title }) => title.replace(/:.*$/, "")));
    expect(titles).toEqual(expect.arrayContaining(sentRoutes.map(({ summary }) => summary)));
    const sending = Object.entries(routesByArea).filter(([, routes]) =>
      routes.some(({ key }) => sentRoutes.some((sent) => sent.key === key)),
    );
    expect([...areas].sort()).toEqual(sending.map(([area]) => area).sort());
  });
});
