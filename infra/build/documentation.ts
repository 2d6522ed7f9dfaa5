import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { routesWith } from "../../functions/definitions.ts";
import { encodingSuffix, FILE_LIST, type FileList } from "../../functions/system/documentation.ts";
import { documentationPage } from "../documentation/page.ts";
import { openApiDocument } from "../openapi/document.ts";
import type { Stage } from "../stages.ts";
import { bundleForBrowser } from "./browser.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

const source = (name: string) => fileURLToPath(new URL(`../documentation/${name}`, import.meta.url));

/** For names that stay the same, so that a new deployment shows immediately. */
const UNVERSIONED = "no-cache";
/** For names with a hash of the content. */
const VERSIONED = "public, max-age=31536000, immutable";

/** The assets of the page, by the names that it uses. */
const assets = {
  "icon.svg": { type: "image/svg+xml", read: async () => readFileSync(source("icon.svg")) },
  "page.css": { type: "text/css; charset=utf-8", read: () => bundleForBrowser(source("page.css")) },
  "page.js": {
    type: "text/javascript; charset=utf-8",
    read: () => bundleForBrowser(source("browser/main.ts")),
  },
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
export async function writeDocumentation(
  directory: string,
  { domain, areaSettings }: Pick<Stage, "areaSettings" | "domain">,
): Promise<void> {
  mkdirSync(join(directory, "assets"), { recursive: true });
  const list: FileList = {};
  const write = (name: string, type: string, content: Uint8Array, cacheControl: string) => {
    writeCompressed(join(directory, name), content, cacheControl === VERSIONED);
    list[name] = { type, cacheControl };
  };

  const document = openApiDocument(Object.values(routesWith(areaSettings)).flat(), domain?.name);
  let html = documentationPage(document);
  for (const [name, { type, read }] of Object.entries(assets)) {
    const content = await read();
    const hashedName = name.replace(/(?=\.\w+$)/, `.${hash(content)}`);
    write(`assets/${hashedName}`, type, content, VERSIONED);
    html = html.replaceAll(`/docs/assets/${name}`, `/docs/assets/${hashedName}`);
  }
  write("index.html", "text/html; charset=utf-8", Buffer.from(html), UNVERSIONED);
  write("llms.txt", "text/plain; charset=utf-8", readFileSync(source("llms.txt")), UNVERSIONED);
  write("openapi.json", "application/json", Buffer.from(JSON.stringify(document)), UNVERSIONED);
  writeFileAtomic(join(directory, FILE_LIST), JSON.stringify(list));

  const written = Object.keys(list).flatMap((name) =>
    Object.values(encodingSuffix).map((suffix) => name + suffix),
  );
  deleteOtherFiles(directory, new Set([FILE_LIST, ...written]));
}

function writeCompressed(file: string, content: Uint8Array, isVersioned: boolean): void {
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

function hash(content: Uint8Array): string {
  return createHash("sha256").update(content).update(String(BROTLI_QUALITY)).digest("hex").slice(0, 12);
}
