import { connect } from "node:net";
import { createClient } from "resource-api";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type LocalRun, runLocally } from "../../local/run.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { type Browser, startChromium } from "../support/browser/chromium.ts";
import { Page } from "../support/browser/page.ts";
import { credentials, secretValues } from "../support/data/credentials.ts";
import { type Started, startProgram } from "../support/programs/started.ts";

const desktop = { width: 1180, height: 860 };
const phone = { width: 390, height: 844 };

let browser: Browser;
let run: LocalRun;
const started: Started[] = [];
beforeAll(async () => {
  browser = await startChromium(inject("chromium"));
  run = await runLocally({
    dataDirectory: "memory",
    secrets: secretValues,
    stageSettings: { browserClients: "true" },
    log: () => undefined,
  });
});
afterAll(async () => {
  await browser.close();
  await run.close();
  for (const program of started) await program.end("SIGTERM");
});

/** Serves the shop for a service, on an origin of its own. */
async function serveShop(service: string): Promise<string> {
  const program = startProgram("examples/shop/serve.js", { PORT: "0", API_URL: service });
  started.push(program);
  const [, url = ""] = await program.printed(/shop is at (http:\S+)/);
  return url;
}

async function openShop(size = desktop): Promise<Page> {
  const page = await Page.open(browser, await serveShop(run.url), size);
  await page.until(`document.querySelector("#products li")`, "product");
  return page;
}

const say = (selector: string, text: string) =>
  `document.querySelector(${JSON.stringify(selector)})?.textContent.includes(${JSON.stringify(text)})`;

async function signIn(page: Page, action: "login" | "register", account: Record<string, string>) {
  if (!(await page.evaluate(`document.querySelector("#sign-in").open`))) await page.click("#account");
  for (const [name, value] of Object.entries(account)) await page.write(`#sign-in [name="${name}"]`, value);
  await page.click(`#sign-in [value="${action}"]`);
}

async function createAccount(page: Page): Promise<Record<string, string>> {
  const username = `shop_${Date.now()}`;
  const account = { username, password: "Analytical1", email: `${username}@example.com` };
  await signIn(page, "register", account);
  await page.until(say("#greeting", username));
  return account;
}

describe("in the shop a customer", () => {
  it("registers, filters, orders once, and follows the order", async () => {
    const page = await openShop();
    await createAccount(page);

    await page.evaluate(`(() => {
      const filter = document.querySelector("#filters").elements.category;
      filter.value = "stationery";
      filter.dispatchEvent(new Event("input", { bubbles: true }));
    })()`);
    await page.until(say("#products li:first-child", "notebook"));
    await page.click("#products li:first-child button");
    await page.click("#products li:first-child button");
    await page.until(say("#cart", "2 ×"));
    await page.click("#order");
    await page.until(say("#orders", "pending"));
    await page.click("#orders button");
    await page.until(say("#orders", "paid"));
    // Another program ships it; the page looks again by itself.
    const api = createClient({ baseUrl: run.url });
    const orders = await api.GET("/orders");
    const [order] = orders.data ?? [];
    await api.PATCH("/orders/{order_id}/status", {
      params: { path: { order_id: order?.id ?? 0 }, query: { status: "shipped" } },
    });
    await page.until(say("#orders", "shipped"));

    expect(orders.data).toMatchObject([{ items: [{ quantity: 2 }], status: "paid" }]);
    expect(await page.text("#cart")).toBe("Nothing yet");
    expect(page.complaints).toEqual([]);
    const origins = new Set(page.requests.map((url) => new URL(url).origin));
    expect([...origins].filter((origin) => origin !== "null").length).toBe(2);
  });

  it("stays signed in and keeps the cart after a reload, and can sign out", async () => {
    const page = await openShop();
    const { username = "" } = await createAccount(page);
    await page.click("#products li:first-child button");
    await page.evaluate("location.reload()");

    await page.until(say("#greeting", username));
    await page.until(say("#cart", "1 ×"));
    await page.click("#account");
    await page.until(`!(${say("#greeting", username)})`);
    await page.click("#order");
    expect(await page.evaluate(`document.querySelector("#sign-in").open`)).toBe(true);
  });

  it("sees beside the field what is wrong with it", async () => {
    const page = await openShop();
    const username = "admin";
    await signIn(page, "register", { username, password: "short", email: "me@example.com" });
    await page.until(say('[data-for="password"]', "at least 8 characters"));
    await signIn(page, "register", { password: "Analytical1" });
    await page.until(say('[data-for="username"]', "admin"));
    await signIn(page, "login", { password: "Analytical2" });
    await page.until(say("#sign-in-message", "Incorrect username or password"));

    expect(await page.evaluate(`document.querySelector('[data-for="password"]').textContent`)).toBe("");
  });

  it("sees names as text, whatever they contain", async () => {
    const { admin } = credentials;
    const api = createClient({ baseUrl: run.url, token: () => token });
    let token: string | undefined;
    token = (await api.POST("/auth/login", { body: admin })).data?.access_token;
    const name = `<img src=x onerror="document.title='changed'">`;
    const product = { name, description: name, price: 1, stock: 9, category: "<b>odd</b>" };
    const { data } = await api.POST("/products", { body: product });
    const page = await openShop();
    await page.until(say("#products", name));

    expect(data?.name).toBe(name);
    expect(await page.evaluate(`document.querySelectorAll("img, b").length`)).toBe(0);
    expect(await page.evaluate("document.title")).toBe("Corner Shop");
  });

  it("sees how to run the service if it does not run", async () => {
    const page = await Page.open(browser, await serveShop("http://localhost:1"), desktop);
    await page.until(
      say("#message", "No response from http://localhost:1. Does the service run, with CORS_"),
    );
  });

  it.each([desktop, phone])("finds it accessible on $width pixels", async (size) => {
    const page = await openShop(size);
    await page.click("#products li:first-child button");
    await page.until(say("#cart", "1 ×"));

    expect(await page.isWider()).toBe(false);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.click("#account");
    expect(await accessibilityProblems(page, "#sign-in")).toEqual([]);
    expect(page.complaints).toEqual([]);
  });
});

it("the shop's server refuses paths that it does not have, and to be framed or guessed at", async () => {
  const shop = await serveShop(run.url);
  const page = await fetch(shop);

  for (const path of ["//", "//[", "/../package.json", "/toString"]) {
    const socket = connect(Number(new URL(shop).port));
    socket.end(`GET ${path} HTTP/1.0\r\n\r\n`);
    expect(String((await socket.toArray())[0])).toMatch(/^HTTP\/1.1 404 /);
  }
  expect(page.status).toBe(200);
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  expect(page.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
});

it("the shop says which setting is missing, for a service that allows other origins nothing", async () => {
  const target = inject("target");
  const shop = await serveShop(target.kind === "http" ? target.url : "");
  const page = await Page.open(browser, shop, desktop);

  await page.until(say("#message", "browserClients"));
});
