import * as z from "zod/mini";
import { ApiError } from "../../lib/domain/errors.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { LISTS_AS_OBJECTS } from "../../lib/http/list-objects.ts";
import { bytes, type Route, response, routeBuilder } from "../../lib/http/route.ts";
import { named, withMetadata } from "../../lib/validators/metadata.ts";
import { textParameter } from "../../lib/validators/parameter.ts";
import type { Documentation } from "./documentation.ts";

const system = { tag: "system", errorFormat: "detail", access: "public" } as const;

const healthRoute = routeBuilder<{ assertReady(): Promise<void> }>(system);

export const healthRoutes = [
  healthRoute("GET /health", {
    operationId: "checkHealth",
    summary: "Check that the service runs, without a database call",
    description: "It checks neither the database nor the secrets.",
    cache: "no-store",
    responses: { 200: named("Health", z.object({ status: z.literal("ok") })) },
    handle: async () => response(200, { status: "ok" }),
  }),
  healthRoute("GET /health/ready", {
    operationId: "checkReadiness",
    summary: "Check that the service can read its database and its signing secret",
    description:
      "Each call reads the database once, and the secret of logins every five minutes; 503 if one cannot be read.",
    cache: "no-store",
    responses: { 200: named("Readiness", z.object({ status: z.literal("ready") })) },
    handle: async (_, dependencies) => {
      await dependencies.assertReady();
      return response(200, { status: "ready" });
    },
  }),
];

const documentationRoute = routeBuilder<{ readonly documentation: Documentation }>(system);
const headers = z.object({
  "accept-encoding": textParameter(z.optional(z.string()), "`br` and `gzip` are supported", "gzip"),
});
const lists = textParameter(
  z.optional(z.enum([LISTS_AS_OBJECTS.value])),
  "`objects` gets the document for programs that cannot read `oneOf` or `Link`. It requires `?lists=objects` in " +
    "requests, which makes each list an object with `next`, the parameters of the next page. Deprecated parameters " +
    "are left out",
);
const fileHeaders = ["content-encoding", "vary"];

/** The page runs only its own scripts and styles, calls only this deployment, creates no HTML from text. */
const pageHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; "),
  "referrer-policy": "no-referrer",
};

function fileRoute<const Key extends `GET /${string}`>(
  key: Key,
  name: string,
  type: string,
  about: Pick<Route, "operationId" | "summary" | "description">,
  more: Readonly<Record<string, string>> = {},
  query = z.object<{ readonly lists?: typeof lists }>({}),
) {
  return documentationRoute(key, {
    ...about,
    request: { headers, query },
    responses: { 200: bytes(type), 308: z.undefined() },
    responseHeaders: { 200: fileHeaders, 308: ["location"] },
    // The bytes differ by encoding, and so do their tags.
    etag: (body: Uint8Array) => entityTag(body, body),
    handle: async ({ headers, query: { lists }, target }, { documentation }) => {
      // Their links are relative, so that they survive a proxy's path prefix.
      if (target.path.endsWith("/"))
        return response(308, undefined, { location: target.path.slice(0, -1) + target.with({}) });
      const variant = lists === undefined ? name : name.replace(/(?=\.\w+$)/, `.${lists}`);
      const file = await documentation.file(variant, headers["accept-encoding"]);
      if (file === undefined) throw new Error("The build has left out a file of the documentation");
      return response(200, file.body, { ...file.headers, ...more });
    },
  });
}

/** The OpenAPI document, its page, and where programs that read begin. */
const documentationRoutes = [
  documentationRoute("GET /", {
    operationId: "openDocumentation",
    summary: "Redirect to the documentation",
    description: "The root path redirects to `/docs`.",
    responses: { 302: z.undefined() },
    responseHeaders: { 302: ["location"] },
    handle: async () => response(302, undefined, { location: "/docs" }),
  }),
  fileRoute(
    "GET /openapi.json",
    "openapi.json",
    "application/json",
    {
      operationId: "getOpenApiDocument",
      summary: "Get this document",
      description: "It is generated from the route declarations of the deployed version.",
    },
    {},
    z.object({ lists }),
  ),
  fileRoute("GET /llms.txt", "llms.txt", "text/plain; charset=utf-8", {
    operationId: "getOverviewForPrograms",
    summary: "Get a short overview for language models",
    description:
      "It says what the service is, where its OpenAPI document is, and what the first calls look like.",
  }),
  fileRoute(
    "GET /docs",
    "index.html",
    "text/html; charset=utf-8",
    {
      operationId: "getDocumentation",
      summary: "Show this page, on which every operation can be tried",
      description: "The page loads nothing from other hosts.",
    },
    pageHeaders,
  ),
  documentationRoute("GET /docs/assets/{file}", {
    operationId: "getDocumentationAsset",
    summary: "Get a script, style or image of the page",
    description: "The name changes with the content, so files may be cached forever.",
    request: {
      path: z.object({ file: withMetadata(z.string(), { description: "The file's name, as in the page" }) }),
      headers,
    },
    responses: { 200: bytes("text/javascript; charset=utf-8", "text/css; charset=utf-8", "image/svg+xml") },
    responseHeaders: { 200: fileHeaders },
    errors: { 404: { when: "There is no such file", example: fileNotFound() } },
    handle: async ({ path, headers }, { documentation }) => {
      const file = await documentation.file(`assets/${path.file}`, headers["accept-encoding"]);
      if (file === undefined) throw fileNotFound();
      return response(200, file.body, file.headers);
    },
  }),
];

export const routes = [...healthRoutes, ...documentationRoutes];

function fileNotFound(): ApiError {
  return new ApiError("NotFound", "Not Found");
}
