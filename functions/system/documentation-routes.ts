import * as z from "zod";
import { ApiError } from "../../lib/domain/errors.ts";
import { bytes } from "../../lib/http/media-types.ts";
import { response, routeBuilder } from "../../lib/http/route.ts";
import type { Documentation, DocumentationFile } from "./documentation.ts";

/** What the documentation routes work with. */
export interface DocumentationDependencies {
  readonly documentation: Documentation;
}

const route = routeBuilder<DocumentationDependencies>({ tag: "system", errorFormat: "detail" });
const headers = z.object({ "accept-encoding": z.string().optional().describe("`br` and `gzip` are known") });
const fileHeaders = ["cache-control", "content-encoding", "vary"];

/**
 * The page runs its own scripts and styles alone and talks to this deployment alone. Swagger UI's icons are `data:`
 * images.
 */
const pageHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
};

/** The OpenAPI document, and the page that shows it. */
export const documentationRoutes = [
  route("GET /", {
    operationId: "openDocumentation",
    summary: "Lead to the documentation",
    description: "Where a browser arrives that is given the bare address: `/docs`.",
    responses: { 302: z.undefined() },
    responseHeaders: { 302: ["location"] },
    handle: async () => response(302, undefined, { location: "/docs" }),
  }),
  route("GET /openapi.json", {
    operationId: "getOpenApiDocument",
    summary: "Get this document",
    description: "It is made of the declarations of the very version that is deployed.",
    headers,
    responses: { 200: bytes("application/json") },
    responseHeaders: { 200: fileHeaders },
    handle: async ({ headers }, { documentation }) => {
      const file = await documentation.file("openapi.json", headers["accept-encoding"]);
      return sent(existing(file));
    },
  }),
  route("GET /docs", {
    operationId: "getDocumentation",
    summary: "Show this document as a page, on which every operation can be tried",
    description:
      "The page comes from this deployment alone and loads nothing from elsewhere. It needs scripts.",
    headers,
    responses: { 200: bytes("text/html; charset=utf-8") },
    responseHeaders: { 200: fileHeaders },
    handle: async ({ headers }, { documentation }) => {
      const file = await documentation.file("index.html", headers["accept-encoding"]);
      return sent(existing(file), pageHeaders);
    },
  }),
  route("GET /docs/assets/{file}", {
    operationId: "getDocumentationAsset",
    summary: "Get a script, style or image of the page",
    description: "A name changes with its file's content, so that a file may be kept for good.",
    path: z.object({ file: z.string().describe("The file's name, as the page has it") }),
    headers,
    responses: {
      200: bytes(
        "text/javascript; charset=utf-8",
        "text/css; charset=utf-8",
        "text/plain; charset=utf-8",
        "image/svg+xml",
      ),
    },
    responseHeaders: { 200: fileHeaders },
    errors: { 404: { when: "The page has no such file", example: noFile() } },
    handle: async ({ path, headers }, { documentation }) => {
      const file = await documentation.file(`assets/${path.file}`, headers["accept-encoding"]);
      if (file === undefined) throw noFile();
      return sent(file);
    },
  }),
];

function sent({ body, headers }: DocumentationFile, more: Readonly<Record<string, string>> = {}) {
  return response(200, body, { ...headers, ...more });
}

function noFile(): ApiError {
  return new ApiError("NotFound", "Not Found");
}

/** What the build always makes. */
function existing(file: DocumentationFile | undefined): DocumentationFile {
  if (file === undefined) throw new Error("The build has left a file of the documentation out");
  return file;
}
