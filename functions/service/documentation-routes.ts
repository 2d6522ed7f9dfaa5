import * as z from "zod";
import { Failure } from "../../lib/failure.ts";
import { bytes } from "../../lib/http/media.ts";
import { answer, area } from "../../lib/http/route.ts";
import type { Documentation, DocumentationFile } from "./documentation.ts";

/** What the documentation routes work with. */
export interface DocumentationServices {
  readonly documentation: Documentation;
}

const route = area<DocumentationServices>({ tag: "service", dialect: "detail" });
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
    answers: { 302: z.undefined() },
    answerHeaders: { 302: ["location"] },
    handle: async () => answer(302, undefined, { location: "/docs" }),
  }),
  route("GET /openapi.json", {
    operationId: "getOpenApiDocument",
    summary: "Get this document",
    headers,
    answers: { 200: bytes("application/json") },
    answerHeaders: { 200: fileHeaders },
    handle: async ({ headers }, { documentation }) => {
      const file = await documentation.file("openapi.json", headers["accept-encoding"]);
      return sent(existing(file));
    },
  }),
  route("GET /docs", {
    operationId: "getDocumentation",
    summary: "Show this document as a page, on which every operation can be tried",
    headers,
    answers: { 200: bytes("text/html; charset=utf-8") },
    answerHeaders: { 200: fileHeaders },
    handle: async ({ headers }, { documentation }) => {
      const file = await documentation.file("index.html", headers["accept-encoding"]);
      return sent(existing(file), pageHeaders);
    },
  }),
  route("GET /docs/assets/{file}", {
    operationId: "getDocumentationAsset",
    summary: "Get a script, style or image of the page",
    path: z.object({ file: z.string() }),
    headers,
    answers: {
      200: bytes(
        "text/javascript; charset=utf-8",
        "text/css; charset=utf-8",
        "text/plain; charset=utf-8",
        "image/svg+xml",
      ),
    },
    answerHeaders: { 200: fileHeaders },
    failures: { 404: "The page has no such file" },
    handle: async ({ path, headers }, { documentation }) => {
      const file = await documentation.file(`assets/${path.file}`, headers["accept-encoding"]);
      if (file === undefined) throw new Failure("NotFound", "Not Found");
      return sent(file);
    },
  }),
];

function sent({ body, headers }: DocumentationFile, more: Readonly<Record<string, string>> = {}) {
  return answer(200, body, { ...headers, ...more });
}

/** What the build always makes. */
function existing(file: DocumentationFile | undefined): DocumentationFile {
  if (file === undefined) throw new Error("The build has left a file of the documentation out");
  return file;
}
