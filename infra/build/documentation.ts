import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { routesWith } from "../../functions/definitions.ts";
import { encodingSuffix, FILE_LIST, type FileList } from "../../functions/system/documentation.ts";
import type { ContentEncoding } from "../../lib/http/response.ts";
import { llmsText } from "../documentation/llms.ts";
import { documentationPage } from "../documentation/page.ts";
import { ownServer } from "../openapi/about.ts";
import { openApiDocument } from "../openapi/document.ts";
import { withIssuer } from "../openapi/issuer.ts";
import { withListsAsObjects } from "../openapi/list-objects.ts";
import { withAccess } from "../settings/access.ts";
import { isServed, publicAddressOf, type Stage } from "../settings/stages.ts";
import { bundleForBrowser } from "./browser.ts";

const source = (name: string) => fileURLToPath(new URL(`../documentation/${name}`, import.meta.url));

/** For names that stay the same, so that a new deployment shows immediately. */
const UNVERSIONED = "no-cache";
const VERSIONED = "public, max-age=31536000, immutable";

const assets = {
  "icon.svg": { type: "image/svg+xml", read: async () => readFileSync(source("icon.svg")) },
  "page.css": { type: "text/css; charset=utf-8", read: () => bundleForBrowser(source("page.css")) },
  "page.js": {
    type: "text/javascript; charset=utf-8",
    read: () => bundleForBrowser(source("browser/main.ts")),
  },
} as const;

/** Level 9 takes 0.1 s for all files. Level 11 takes 3 s and saves another 10 %. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
const compress: Record<ContentEncoding, (content: Uint8Array) => Uint8Array> = {
  br: (content) => brotliCompressSync(content, { params }),
  gzip: gzipSync,
};

/** Replaces a directory by the documentation, compressed; assets have names with a hash of their content. */
export async function writeDocumentation(
  directory: string,
  stage: Pick<Stage, "access" | "address" | "areaSettings" | "domain" | "issuer">,
): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(join(directory, "assets"), { recursive: true });
  const list: FileList = {};
  const write = (name: string, type: string, content: Uint8Array, cacheControl: string) => {
    for (const coding of ["br", "gzip"] as const)
      writeFileSync(join(directory, name + encodingSuffix[coding]), compress[coding](content));
    list[name] = { type, cacheControl };
  };

  const { access, areaSettings, issuer } = stage;
  const served = Object.entries(routesWith(areaSettings)).filter(([area]) => isServed(area, stage));
  const routes = withAccess(
    served.flatMap(([, each]) => each),
    access,
  );
  const address = publicAddressOf(stage);
  const document = withIssuer(openApiDocument(routes, address), issuer);
  const shown = { ...document, servers: [ownServer, ...(address ? document.servers : [])] };
  let html = documentationPage(document, issuer);
  for (const [name, { type, read }] of Object.entries(assets)) {
    const content = await read();
    const hash = createHash("sha256").update(content).update(JSON.stringify(params)).digest("hex");
    const hashedName = name.replace(/(?=\.\w+$)/, `.${hash.slice(0, 12)}`);
    write(`assets/${hashedName}`, type, content, VERSIONED);
    html = html.replaceAll(`docs/assets/${name}`, `docs/assets/${hashedName}`);
  }
  write("index.html", "text/html; charset=utf-8", Buffer.from(html), UNVERSIONED);
  write("llms.txt", "text/plain; charset=utf-8", Buffer.from(llmsText(shown, routes)), UNVERSIONED);
  const documents = { "openapi.json": shown, "openapi.objects.json": withListsAsObjects(shown) };
  for (const [name, content] of Object.entries(documents))
    write(name, "application/json", Buffer.from(JSON.stringify(content)), UNVERSIONED);
  writeFileSync(join(directory, FILE_LIST), JSON.stringify(list));
}
