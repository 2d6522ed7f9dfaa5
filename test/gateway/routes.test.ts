import { describe, expect, inject, it } from "vitest";
import { allRoutes } from "../../functions/definitions.ts";
import { locationOf } from "../support/api/links.ts";
import { credentials } from "../support/data/credentials.ts";
import { runProgram } from "../support/programs/program.ts";

const gateways = inject("gateways");
const routes = allRoutes.filter(({ pattern }) => pattern !== "/");
const declared = new Set(routes.map(({ key }) => key));
/** Their links are relative to the path without a slash. */
const relativePages = new Set(routes.flatMap(({ pattern, responses }) => (responses[308] ? [pattern] : [])));

const otherVariant = (path: string) => (path.endsWith("/") ? path.slice(0, -1) : `${path}/`);

/** Sends a request without a body and credentials for records that don't exist, so that it changes nothing. */
async function send(url: string, method: string, path: string) {
  const response = await fetch(url + path, { method, redirect: "manual" });
  const { status, headers } = response;
  const text = await response.text();
  const contentType = headers.get("content-type");
  const members = contentType?.startsWith("application/json") ? Object.keys(JSON.parse(text) ?? {}) : [];
  const location = locationOf({ headers, target: path });
  return { status, contentType, location, isFromFunction: headers.has("x-request-id"), members };
}

describe.each(["lenient", "strict"] as const)("a gateway with %s slashes", (slashes) => {
  const url = gateways[slashes];

  it("serves every route: each succeeds in the smoke test", async () => {
    const environment = { API_KEY: credentials.apiKey, ADMIN_PASSWORD: credentials.admin.password };
    const { code, output, errors } = await runProgram("ops/smoke.ts", [url], { environment });

    // Standard error shows the progress.
    expect(code, output + errors).toBe(0);
    expect(output).toMatch(/\n\d+ passed, 0 failed, 0 not tested, /);
    const { status } = await fetch(`${url}/health/`, { redirect: "manual" });
    expect(status).toBe(slashes === "lenient" ? 200 : 308);
  });

  it.each(routes)("$key: a slash makes no difference unless both paths are declared", async (route) => {
    const { method, pattern } = route;
    const path = pattern.replaceAll(/\{\w+\}/g, "999999");
    const expected = await send(url, method, path);
    const other = await send(url, method, otherVariant(path));

    expect(expected).toMatchObject({ isFromFunction: true, location: "" });
    expect(other.isFromFunction).toBe(true);
    if (declared.has(`${method} ${otherVariant(pattern)}`)) {
      expect(other.members).not.toEqual(expected.members);
      return;
    }
    const isRedirected = other.status === 308;
    const isNeeded = slashes === "strict" || relativePages.has(pattern);
    expect(isRedirected && !isNeeded, "redirects only a strict gateway needs").toBe(false);
    if (isRedirected) expect(other.location).toBe(path);
    else expect(other).toEqual(expected);
  });
});
