import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { routesByArea } from "../functions/definitions.ts";
import type { Route } from "../lib/http/route.ts";
import { createRouter } from "../lib/http/router.ts";
import { credentials } from "./support/data/credentials.ts";
import { expectGenerated } from "./support/generated.ts";
import { runInMemory } from "./support/programs/run.ts";
import { requestFile, sentRoutes } from "./support/request-file.ts";

const [, ...texts] = readFileSync("docs/examples/requests.http", "utf8").split(/^### /m);
/** The requests of the file: area and title, request line, headers and optional body. */
const requests = texts.map((text) => {
  const lines = text.trim().split("\n");
  const [heading = "", start = "", ...rest] = lines.filter((line) => !line.startsWith("# "));
  const [, area = "", title = ""] = /^(.*?): (.*)$/.exec(heading) ?? [];
  const [, method = "", target = ""] = /^(\w+) \{\{url\}\}(\S+)$/.exec(start) ?? [];
  const [head = "", ...bodies] = rest.join("\n").split(/(?:^|\n)\n/);
  const headers = head
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(": ") as [string, string]);
  const body = bodies.length > 0 ? bodies.join("\n\n") : undefined;
  // By the name of a line `# @name`, later requests refer to its response.
  return { area, title, name: /^# @name (\w+)$/m.exec(text)?.[1], method, target, headers, body };
});

describe.each([
  { seed: "catalog", withDemo: false },
  { seed: "demo", withDemo: true },
])("docs/examples/requests.http with SEED=$seed", async ({ withDemo }) => {
  const responses: Record<string, Record<string, unknown>> = {};
  const run = await runInMemory({ withDemo });
  afterAll(() => run.close());

  /** Replaces references in double braces, as an editor does: variables and members of earlier responses. */
  function fillIn(text: string): string {
    const { apiKey, admin } = credentials;
    const variables: Record<string, string> = { apiKey, adminPassword: admin.password };
    return text.replaceAll(/\{\{([\w.]+)\}\}/g, (_, reference: string) => {
      const [name = "", , , member = ""] = reference.split(".");
      return String(variables[reference] ?? responses[name]?.[member]);
    });
  }

  it.each(requests)("$method $target of $area succeeds after the requests before it", async (request) => {
    const { area, name, method, target, body } = request;
    const router = createRouter(routesByArea[area] as readonly Route[]);
    expect(router(method, target.replace(/\?.*$/, "")).route?.method).toBe(method);
    const headers = request.headers.map(([header, value]): [string, string] => [header, fillIn(value)]);
    const init = { method, headers, ...(body !== undefined && { body: fillIn(body) }) };
    const response = await fetch(run.url + fillIn(target), init);
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
    const titles = requests.map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(sentRoutes.map(({ summary }) => summary)));
    const sent = new Set(sentRoutes.map(({ key }) => key));
    const sending = Object.entries(routesByArea).filter(([, routes]) =>
      routes.some(({ key }) => sent.has(key)),
    );
    expect(new Set(requests.map(({ area }) => area))).toEqual(new Set(sending.map(([area]) => area)));
  });
});
