import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect } from "node:http2";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "resource-api";
import { afterAll, describe, expect, it } from "vitest";
import { runLocally } from "../../local/run.ts";
import { openPage, useBrowser } from "../page/browser.ts";
import { credentials, secretValues } from "../support/data/credentials.ts";
import { freePorts, startNginx } from "../support/programs/nginx.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const directory = temporaryDirectory(afterAll);
const recipe = readFileSync("docs/examples/nginx.conf", "utf8");
const [, secret = ""] = /X-Proxy-Secret "([^"]*)"/.exec(recipe) ?? [];
const [port = 0, plainPort = 0, tlsPort = 0] = await freePorts(3);
/** Of the recipe, and of a proxy that only strips a prefix, in front of a run that knows of no proxy. */
const address = `http://localhost:${port}/api`;
const plain = `http://localhost:${plainPort}/shop`;
const certificate = join(directory, "api.crt");

useBrowser();
const start = (stageSettings: Readonly<Record<string, string>>) =>
  runLocally({ dataDirectory: "memory", secrets: secretValues, stageSettings, log: () => undefined });
const trustedProxy = `secret:${hash("sha256", secret)},address:x-real-ip`;
const run = await start({ address, trustedProxy, browserClients: "true" });
const plainRun = await start({});

const key = join(directory, "api.key");
const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
const pair = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key];
execFileSync("openssl", ["req", "-x509", ...pair, "-out", certificate, ...subject], { stdio: "ignore" });
const replaced = {
  "listen 443 ssl http2;": `listen ${port}; listen ${tlsPort} ssl http2;`,
  "/etc/nginx/api.crt": certificate,
  "/etc/nginx/api.key": key,
  "/var/cache/nginx/api": "cache",
  "https://origin.example.com": run.url,
};
for (const each of Object.keys(replaced)) expect(recipe).toContain(each);
const site = Object.entries(replaced).reduce((all, [from, to]) => all.replaceAll(from, to), recipe);
const prefix = `server { listen ${plainPort}; location /shop/ { proxy_pass ${plainRun.url}/; } }`;
const nginx = await startNginx(`${site}\n${prefix}`, directory);
afterAll(async () => {
  nginx.kill("SIGQUIT");
  await once(nginx, "close");
  await run.close();
  await plainRun.close();
});

/** Sends a request from an address of this machine. */
async function from(localAddress: string, path: string, body: object) {
  const headers = { "content-type": "application/json" };
  const url = address.replace("localhost", "127.0.0.1") + path;
  const sent = httpRequest(url, { method: "POST", localAddress, headers }).end(JSON.stringify(body));
  const [response] = await once(sent, "response");
  return { status: response.statusCode, text: await text(response) };
}

const post = (base: string, path: string, body: object) =>
  fetch(base + path, { method: "POST", body: JSON.stringify(body) });

const proxies = Object.entries({ "the recipe": address, "a stripped prefix": plain });
describe.each(proxies)("behind %s", (_, base) => {
  it("the typed client follows pages, and creations lead to their records", async () => {
    const api = createClient({ baseUrl: base });
    for (let i = 0; i < 5; i += 1) await api.POST("/todos", { body: { title: `todo ${i}` } });
    const titles: string[] = [];
    for await (const { title } of api.paginate("/todos", { params: { query: { limit: 2 } } }))
      titles.push(title);
    expect(titles).toEqual(["todo 0", "todo 1", "todo 2", "todo 3", "todo 4"]);

    for (const path of ["/items", "/items/"]) {
      const created = await post(base, path, { name: "lamp" });
      const found = await fetch(new URL(created.headers.get("location") ?? "", created.url));
      expect([created.status, await found.json()]).toEqual([201, expect.objectContaining({ name: "lamp" })]);
    }
  });

  it("the bare address leads to the documentation, which sends requests through the proxy", async () => {
    const { page, complaints, requests } = await openPage(`${base}/`);
    await page.locator("#checkHealth .send").click();
    await page.locator("#checkHealth .result .status").waitFor();
    expect(await page.textContent("#checkHealth .result")).toContain("200");
    expect(await page.textContent("#checkHealth .sample")).toContain(`${base}/health`);
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(`${base}/`))).toEqual([]);
    await page.goto(`${base}/docs/`);
    expect(page.url()).toBe(`${base}/docs`);
  });
});

describe("the firewall recipe", () => {
  it("names its own address only", async () => {
    const read = async (path: string, headers = {}) => (await fetch(address + path, { headers })).json();
    const problem = await read("/none?a=b", { accept: "application/problem+json" });
    expect(problem).toMatchObject({ instance: `${address}/none` });
    expect(await read("/items/99")).toMatchObject({ path: `${address}/items/99` });
    expect(await read("/openapi.json")).toMatchObject({ servers: [{ url: "." }, { url: address }] });
    for (const path of ["/docs", "/openapi.json", "/llms.txt", "/todos/x"]) {
      const response = await fetch(address + path);
      const all = (await response.text()) + JSON.stringify([...response.headers]);
      expect(all, path).not.toContain(new URL(run.url).port);
    }
  });

  it("is the only way in", async () => {
    expect((await fetch(`${run.url}/health`)).status).toBe(403);
    const headers = { "x-proxy-secret": "guessed" };
    expect((await fetch(`${run.url}/no-such-path`, { headers })).status).toBe(403);
    expect((await fetch(`${address}/health`, { headers })).status).toBe(200);
  });

  it("caches what may be cached, and nothing else", async () => {
    const idOf = async (path: string) => (await fetch(address + path)).headers.get("x-request-id");
    await post(address, "/posts", { title: "Hello", content: "Words" });
    const item = (await post(address, "/items", { name: "lamp" })).headers.get("location");
    for (const path of ["/health", "/health/ready", "/todos", "/posts/1", "/no-such-path", "/items/99"])
      expect(await idOf(path), path).not.toBe(await idOf(path));
    expect(await idOf(`/${item}`)).toBe(await idOf(`/${item}`));
    expect(await (await fetch(`${address}/posts/1`)).json()).toMatchObject({ view_count: 3 });
    const before = (await (await fetch(`${address}/todos`)).json()) as unknown[];
    await post(address, "/todos", { title: "new" });
    expect(await (await fetch(`${address}/todos`)).json()).toHaveLength(before.length + 1);

    // With a cache, nginx answers conditional requests itself.
    const { headers } = await fetch(`${plain}/todos/1`);
    const tag = { "if-none-match": headers.get("etag") ?? "" };
    const again = await fetch(`${plain}/todos/1`, { headers: tag });
    expect([again.status, again.headers.get("content-type")]).toEqual([304, "application/json"]);
  });

  it("compresses small records, whose weak tag works without the W/", async () => {
    await post(address, "/users", { name: "Ada", email: "ada@example.com", age: 36 });
    const read = await fetch(`${address}/users/1`, { headers: { "accept-encoding": "gzip" } });
    const tag = read.headers.get("etag") ?? "";
    expect([read.headers.get("content-encoding"), tag]).toEqual(["gzip", expect.stringMatching(/^W\//)]);
    const change = async (ifMatch: string) => {
      const headers = { "if-match": ifMatch };
      const body = JSON.stringify({ name: "Ada", email: "ada@example.com", age: 37 });
      const response = await fetch(`${address}/users/1`, { method: "PUT", headers, body });
      return `${response.status} ${await response.text()}`;
    };
    expect(await change(tag)).toMatch(/^412 .*leave out the W\//);
    expect(await change(tag.replace("W/", ""))).toMatch(/^200 /);
  });

  it("speaks HTTP/2", async () => {
    const session = connect(`https://localhost:${tlsPort}`, { ca: readFileSync(certificate) });
    const stream = session.request({ ":path": "/api/todos?limit=1" });
    const [headers] = await once(stream, "response");
    expect([headers[":status"], headers.link]).toEqual([200, expect.stringMatching(/^<\?/)]);
    expect(JSON.parse(await text(stream))).toHaveLength(1);
    session.close();
  });

  it("delays logins of the client that failed, not of everybody", async () => {
    const wrong = { username: "admin", password: "wrong" };
    const isDelayed = async () => {
      const three = await Promise.all([0, 1, 2].map(() => from("127.0.0.2", "/auth/login", wrong)));
      return three.some(({ status, text }) => status === 429 && text.includes("Too many failed logins"));
    };
    expect([await isDelayed(), await isDelayed(), await isDelayed()]).toContain(true);
    expect((await from("127.0.0.3", "/auth/login", credentials.admin)).status).toBe(200);
  });

  it("limits the logins of a client, in all forms of the path", async () => {
    for (const form of ["/auth/login", "/auth/%6Cogin", "/auth/login/", "//auth/login", "/./auth/%6cogin/"]) {
      const attempt = () => from("127.0.0.4", form, { username: "nobody", password: "x" });
      const texts = (await Promise.all(Array.from({ length: 25 }, attempt))).map(({ text }) => text);
      expect(texts.join(), form).toContain("nginx");
    }
  });
});
