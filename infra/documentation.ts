import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { routesWith, type ServiceSettings } from "../functions/groups.ts";
import { codingSuffix, FILE_LIST, type FileList } from "../functions/service/documentation.ts";
import { openApiDocument } from "./openapi/document.ts";

const require = createRequire(import.meta.url);
const page = (name: string) => readFileSync(new URL(`../functions/service/page/${name}`, import.meta.url));
const swaggerUi = (name: string) => readFileSync(require.resolve(`swagger-ui-dist/${name}`));

/** A new deployment shows at once. */
const UNVERSIONED = "no-cache";
/** Another content is another name. */
const VERSIONED = "public, max-age=31536000, immutable";

/** What the page is made of, by the names that its source has for it. */
const assets = {
  "icon.svg": { type: "image/svg+xml", read: () => page("icon.svg") },
  "licences.txt": {
    type: "text/plain; charset=utf-8",
    read: () =>
      Buffer.concat([
        swaggerUi("NOTICE"),
        Buffer.from("\n"),
        swaggerUi("LICENSE"),
        swaggerUi("swagger-ui-bundle.js.LICENSE.txt"),
      ]),
  },
  "page.css": { type: "text/css; charset=utf-8", read: () => page("page.css") },
  "page.js": { type: "text/javascript; charset=utf-8", read: () => page("page.js") },
  "swagger-ui-bundle.js": {
    type: "text/javascript; charset=utf-8",
    read: () => swaggerUi("swagger-ui-bundle.js"),
  },
  "swagger-ui.css": { type: "text/css; charset=utf-8", read: () => swaggerUi("swagger-ui.css") },
} as const;

/**
 * Makes the files of the documentation: the OpenAPI document, the page, and what the page loads, under names that
 * change with the content. All are compressed here, so that the function sends them as they are.
 *
 * @param directory where they go; what is there is replaced
 * @param settings of the deployment
 */
export function writeDocumentation(directory: string, settings: ServiceSettings): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(join(directory, "assets"), { recursive: true });
  const list: FileList = {};
  const write = (name: string, type: string, content: Buffer, cacheControl: string) => {
    writeCompressed(join(directory, name), content);
    list[name] = { type, cacheControl };
  };

  let html = page("index.html").toString();
  for (const [name, { type, read }] of Object.entries(assets)) {
    const content = withoutSourceMap(read());
    const versioned = name.replace(/(?=\.\w+$)/, `.${hash(content)}`);
    write(`assets/${versioned}`, type, content, VERSIONED);
    html = html.replaceAll(`/docs/assets/${name}`, `/docs/assets/${versioned}`);
  }
  write("index.html", "text/html; charset=utf-8", Buffer.from(html), UNVERSIONED);
  const document = openApiDocument(Object.values(routesWith(settings)).flat());
  write("openapi.json", "application/json", Buffer.from(JSON.stringify(document)), UNVERSIONED);
  writeFileSync(join(directory, FILE_LIST), JSON.stringify(list));
}

/** Brotli's level 9 takes a tenth of a second for all of it; its best one takes three seconds for a tenth less. */
function writeCompressed(file: string, content: Buffer): void {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(file + codingSuffix.br, brotliCompressSync(content, { params }));
  writeFileSync(file + codingSuffix.gzip, gzipSync(content));
}

/** The maps are not there. */
function withoutSourceMap(content: Buffer): Buffer {
  return Buffer.from(content.toString().replace(/\n\/[/*]# sourceMappingURL=.*$/s, "\n"));
}

function hash(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 12);
}
