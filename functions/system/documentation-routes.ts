import * as z from "zod/mini";
import { ApiError } from "../../lib/domain/errors.ts";
import { bytes, response, routeBuilder } from "../../lib/http/route.ts";
import { withMetadata } from "../../lib/validators/metadata.ts";
import type { Documentation, DocumentationFile } from "./documentation.ts";

interface DocumentationDependencies {
  readonly documentation: Documentation;
}

const route = routeBuilder<DocumentationDependencies>({ tag: "system", errorFormat: "detail" });
const headers = z.object({
  "accept-encoding": withMetadata(z.optional(z.string()), { description: "`br` and `gzip` are supported" }),
});
const fileHeaders = ["cache-control", "content-encoding", "vary"];

/** The page runs only its own scripts and styles, calls only this deployment, and creates no HTML from text. */
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

/** The OpenAPI document and its page. */
export const documentationRoutes = [
  route("GET /", {
    operationId: "openDocumentation",
    summary: "Redirect to the documentation",
    description: "The bare address of the service leads to `/docs`.",
    responses: { 302: z.undefined() },
    responseHeaders: { 302: ["location"] },
    handle: async () => response(302, undefined, { location: "/docs" }),
  }),
  route("GET /openapi.json", {
    operationId: "getOpenApiDocument",
    summary: "Get this document",
    description: "It is generated from the route declarations of the deployed version.",
    request: { headers },
    responses: { 200: bytes("application/json") },
    responseHeaders: { 200: fileHeaders },
    handle: async ({ headers }, { documentation }) => {
      const file = await documentation.file("openapi.json", headers["accept-encoding"]);
      return fileResponse(requireBuilt(file));
    },
  }),
  route("GET /docs", {
    operationId: "getDocumentation",
    summary: "Show this document as a page on which every operation can be tried",
    description: "The page loads nothing from other hosts.",
    request: { headers },
    responses: { 200: bytes("text/html; charset=utf-8") },
    responseHeaders: { 200: fileHeaders },
    handle: async ({ headers }, { documentation }) => {
      const file = await documentation.file("index.html", headers["accept-encoding"]);
      return fileResponse(requireBuilt(file), pageHeaders);
    },
  }),
  route("GET /docs/assets/{file}", {
    operationId: "getDocumentationAsset",
    summary: "Get a script, style or image of the page",
    description: "The name changes with the content, so files may be cached forever.",
    request: {
      path: z.object({ file: withMetadata(z.string(), { description: "The file's name, as in the page" }) }),
      headers,
    },
    responses: {
      200: bytes("text/javascript; charset=utf-8", "text/css; charset=utf-8", "image/svg+xml"),
    },
    responseHeaders: { 200: fileHeaders },
    errors: { 404: { when: "The page has no such file", example: fileNotFound() } },
    handle: async ({ path, headers }, { documentation }) => {
      const file = await documentation.file(`assets/${path.file}`, headers["accept-encoding"]);
      if (file === undefined) throw fileNotFound();
      return fileResponse(file);
    },
  }),
];

function fileResponse({ body, headers }: DocumentationFile, more: Readonly<Record<string, string>> = {}) {
  return response(200, body, { ...headers, ...more });
}

function fileNotFound(): ApiError {
  return new ApiError("NotFound", "Not Found");
}

function requireBuilt(file: DocumentationFile | undefined): DocumentationFile {
  if (file === undefined) throw new Error("The build has left out a file of the documentation");
  return file;
}
