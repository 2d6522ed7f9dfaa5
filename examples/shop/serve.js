// Serves the shop: node examples/shop/serve.js. PORT and API_URL change the defaults.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const { PORT = "8081", API_URL = "http://localhost:8080" } = process.env;
const read = (path) => readFileSync(new URL(path, import.meta.url));

/** The page with the address of the service. Its policy allows the import map by its hash. */
function page() {
  const html = read("index.html")
    .toString()
    .replace("connect-src http://localhost:8080", `connect-src ${new URL(API_URL).origin}`)
    .replace("http://localhost:8080", API_URL);
  const [, importMap = ""] = /<script type="importmap">(.*?)<\/script>/s.exec(html) ?? [];
  return html.replace("IMPORT_MAP_HASH", `sha256-${createHash("sha256").update(importMap).digest("base64")}`);
}

const files = new Map([
  ["/", ["text/html", page]],
  ["/shop.css", ["text/css", () => read("shop.css")]],
  ["/shop.js", ["text/javascript", () => read("shop.js")]],
  ["/client/index.js", ["text/javascript", () => read("../../client/index.js")]],
  ["/openapi-fetch/index.mjs", ["text/javascript", () => read(import.meta.resolve("openapi-fetch"))]],
]);

const server = createServer(({ url = "" }, response) => {
  const [type, content] = files.get(url.split("?")[0]) ?? [];
  if (content === undefined) return response.writeHead(404).end();
  response
    .writeHead(200, {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      // A policy in the page itself can't say this.
      "content-security-policy": "frame-ancestors 'none'",
    })
    .end(content());
});
server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`The shop is at http://localhost:${server.address().port}`);
});
