import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { routesWith, type ServiceSettings } from "../../functions/routes.ts";
import { encodingSuffix, FILE_LIST, type FileList } from "../../functions/system/documentation.ts";
import { openApiDocument } from "../openapi/document.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

const require = createRequire(import.meta.url);
const page = (name: string) => readFileSync(new URL(`../../functions/system/page/${name}`, import.meta.url));
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

/** Brotli's level 9 takes a tenth of a second for all of it; its best one takes three seconds for a tenth less. */
const BROTLI_QUALITY = 9;

/**
 * Makes the files of the documentation: the OpenAPI document, the page, and what the page loads, under names that
 * change with the content. All are compressed here, so that the function sends them as they are. What the page loads
 * and is there already is not compressed again.
 *
 * @param directory where they go; what else is there is deleted
 * @param settings of the deployment
 */
export function writeDocumentation(directory: string, settings: ServiceSettings): void {
  mkdirSync(join(directory, "assets"), { recursive: true });
  const list: FileList = {};
  const write = (name: string, type: string, content: Buffer, cacheControl: string) => {
    writeCompressed(join(directory, name), content, cacheControl === VERSIONED);
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
  writeFileAtomic(join(directory, FILE_LIST), JSON.stringify(list));

  const wanted = Object.keys(list).flatMap((name) =>
    Object.values(encodingSuffix).map((suffix) => name + suffix),
  );
  deleteOthers(directory, new Set([FILE_LIST, ...wanted]));
}

function writeCompressed(file: string, content: Buffer, isVersioned: boolean): void {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const compress = { br: () => brotliCompressSync(content, { params }), gzip: () => gzipSync(content) };
  for (const coding of ["br", "gzip"] as const) {
    const path = file + encodingSuffix[coding];
    if (!isVersioned || !existsSync(path)) writeFileAtomic(path, compress[coding]());
  }
}

/** @param wanted the files to keep, by their paths below the directory */
function deleteOthers(directory: string, wanted: ReadonlySet<string>): void {
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    const path = join(directory, name);
    if (!wanted.has(name) && !statSync(path).isDirectory()) rmSync(path);
  }
}

/** The maps are not there. */
function withoutSourceMap(content: Buffer): Buffer {
  return Buffer.from(content.toString().replace(/\n\/[/*]# sourceMappingURL=.*$/s, "\n"));
}

function hash(content: Buffer): string {
  return createHash("sha256").update(content).update(String(BROTLI_QUALITY)).digest("hex").slice(0, 12);
}
