import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { routesWith, type ServiceSettings } from "../../functions/routes.ts";
import { encodingSuffix, FILE_LIST, type FileList } from "../../functions/system/documentation.ts";
import { openApiDocument } from "../openapi/document.ts";
import type { Stage } from "../stages.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

const require = createRequire(import.meta.url);
const page = (name: string) => readFileSync(new URL(`../../functions/system/page/${name}`, import.meta.url));
const swaggerUi = (name: string) => readFileSync(require.resolve(`swagger-ui-dist/${name}`));

/** For names that stay the same, so that a new deployment shows immediately. */
const UNVERSIONED = "no-cache";
/** For names with a hash of the content. */
const VERSIONED = "public, max-age=31536000, immutable";

/** The assets of the page, by the names that its source uses. */
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

/** Level 9 takes 0.1 s for all files. Level 11 takes 3 s and saves another 10 %. */
const BROTLI_QUALITY = 9;

/**
 * Writes the files of the documentation: the OpenAPI document, the page, and its assets under names with a hash of
 * their content. All are stored compressed, so that the function need not compress them. Existing assets are not
 * compressed again.
 *
 * @param directory other files in it are deleted
 */
export function writeDocumentation(
  directory: string,
  { domain, ...settings }: ServiceSettings & Pick<Stage, "domain">,
): void {
  mkdirSync(join(directory, "assets"), { recursive: true });
  const list: FileList = {};
  const write = (name: string, type: string, content: Buffer, cacheControl: string) => {
    writeCompressed(join(directory, name), content, cacheControl === VERSIONED);
    list[name] = { type, cacheControl };
  };

  let html = page("index.html").toString();
  for (const [name, { type, read }] of Object.entries(assets)) {
    const content = withoutSourceMap(read());
    const hashedName = name.replace(/(?=\.\w+$)/, `.${hash(content)}`);
    write(`assets/${hashedName}`, type, content, VERSIONED);
    html = html.replaceAll(`/docs/assets/${name}`, `/docs/assets/${hashedName}`);
  }
  write("index.html", "text/html; charset=utf-8", Buffer.from(html), UNVERSIONED);
  const document = openApiDocument(Object.values(routesWith(settings)).flat(), domain?.name);
  write("openapi.json", "application/json", Buffer.from(JSON.stringify(document)), UNVERSIONED);
  writeFileAtomic(join(directory, FILE_LIST), JSON.stringify(list));

  const written = Object.keys(list).flatMap((name) =>
    Object.values(encodingSuffix).map((suffix) => name + suffix),
  );
  deleteOtherFiles(directory, new Set([FILE_LIST, ...written]));
}

function writeCompressed(file: string, content: Buffer, isVersioned: boolean): void {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const compress = { br: () => brotliCompressSync(content, { params }), gzip: () => gzipSync(content) };
  for (const coding of ["br", "gzip"] as const) {
    const path = file + encodingSuffix[coding];
    if (!isVersioned || !existsSync(path)) writeFileAtomic(path, compress[coding]());
  }
}

/** @param kept paths relative to the directory */
function deleteOtherFiles(directory: string, kept: ReadonlySet<string>): void {
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    const path = join(directory, name);
    if (!kept.has(name) && !statSync(path).isDirectory()) rmSync(path);
  }
}

/** Removes references to source maps, which are not deployed. */
function withoutSourceMap(content: Buffer): Buffer {
  return Buffer.from(content.toString().replace(/\n\/[/*]# sourceMappingURL=.*$/s, "\n"));
}

function hash(content: Buffer): string {
  return createHash("sha256").update(content).update(String(BROTLI_QUALITY)).digest("hex").slice(0, 12);
}
