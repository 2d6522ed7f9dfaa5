import { connect } from "node:net";
import type { Locator, Page } from "playwright-core";
import { createClient } from "resource-api";
import { afterAll, describe, expect, inject, it, onTestFinished } from "vitest";
import type { LocalRun } from "../../local/run.ts";
import { defaultApp } from "../../local/stack/synthesize.ts";
import { credentials } from "../support/data/credentials.ts";
import { runInMemory } from "../support/programs/run.ts";
import { startProgram } from "../support/programs/started.ts";
import { accessibilityProblems } from "./accessibility.ts";
import { desktop, isWider, openPage, phone, useBrowser } from "./browser.ts";

useBrowser();
const start = (access: string) =>
  runInMemory({ app: defaultApp, stageSettings: { browserClients: "true", access } });
const run = await start("specified");
const ownerRun = await start("owner");
afterAll(async () => {
  await run.close();
  await ownerRun.close();
});

async function serveShop(service: string): Promise<string> {
  const program = startProgram("examples/shop/serve.js", { PORT: "0", API_URL: service });
  onTestFinished(async () => void (await program.end("SIGTERM")));
  const [, url = ""] = await program.printed(/shop is at (http:\S+)/);
  return url;
}

async function openShop(size = desktop, { url } = run) {
  const opened = await openPage(await serveShop(url), size);
  await opened.page.locator(FIRST_PRODUCT).waitFor();
  return opened;
}

async function adminClient({ url: baseUrl }: LocalRun) {
  let token: string | undefined;
  const api = createClient({ baseUrl, token: () => token });
  token = (await api.POST("/auth/login", { body: credentials.admin })).data?.access_token;
  return api;
}

const FIRST_PRODUCT = "#products li:first-child";

/** Whether its upper edge is within the window. */
const isInView = (locator: Locator) =>
  locator.evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  });

const shows = (page: Page, selector: string, hasText: string) =>
  page.locator(selector, { hasText }).first().waitFor();

async function signIn(page: Page, action: "login" | "register", account: Record<string, string>) {
  if (!(await page.isVisible("#sign-in"))) await page.click("#account");
  for (const [name, value] of Object.entries(account)) await page.fill(`#sign-in [name="${name}"]`, value);
  await page.click(`#sign-in [value="${action}"]`);
}

async function createAccount(page: Page): Promise<string> {
  const username = `shop_${Date.now()}`;
  const account = { username, password: "Analytical1", email: `${username}@example.com` };
  await signIn(page, "register", account);
  await shows(page, "#greeting", username);
  return username;
}

describe("in the shop a customer", () => {
  const runs = Object.entries({ "for anyone": run, "for their owners": ownerRun });
  it.each(runs)(
    "registers, filters, orders once, and follows the order, with orders %s",
    async (_, served) => {
      const { page, complaints, requests } = await openShop(desktop, served);
      await createAccount(page);

      await page.locator("#filters [name=category]").selectOption("stationery");
      await shows(page, FIRST_PRODUCT, "notebook");
      await page.click(`${FIRST_PRODUCT} button`);
      await page.click(`${FIRST_PRODUCT} button`);
      await shows(page, "#cart", "2 ×");
      await page.click("#order");
      await shows(page, "#orders", "pending");
      await page.click("#orders button");
      await shows(page, "#orders", "paid");
      // Another program ships it; the page looks again by itself.
      const api = await adminClient(served);
      const orders = await api.GET("/orders");
      const [order] = orders.data ?? [];
      await api.PATCH("/orders/{order_id}/status", {
        params: { path: { order_id: order?.id ?? 0 }, query: { status: "shipped" } },
      });
      await shows(page, "#orders", "shipped");

      expect(orders.data).toMatchObject([{ items: [{ quantity: 2 }], status: "paid" }]);
      expect(await page.textContent("#cart")).toBe("Nothing yet");
      expect(complaints).toEqual([]);
      await page.click("#account");
      await page.locator("#orders li").waitFor({ state: "detached" });
      expect((await createClient({ baseUrl: ownerRun.url }).GET("/orders")).response.status).toBe(401);
      const origins = new Set(requests.map((url) => new URL(url).origin));
      expect([...origins].filter((origin) => origin !== "null").length).toBe(2);
    },
  );

  it("stays signed in and keeps the cart after a reload, and can sign out", async () => {
    const { page } = await openShop();
    const username = await createAccount(page);
    await page.click(`${FIRST_PRODUCT} button`);
    await page.reload();

    await shows(page, "#greeting", username);
    await shows(page, "#cart", "1 ×");
    await page.click("#account");
    await page.locator("#greeting", { hasText: username }).waitFor({ state: "hidden" });
    await page.click("#order");
    expect(await page.isVisible("#sign-in")).toBe(true);
  });

  it("sees beside the field what is wrong with it", async () => {
    const { page } = await openShop();
    const username = "admin";
    await signIn(page, "register", { username, password: "short", email: "me@example.com" });
    await shows(page, '[data-for="password"]', "at least 8 characters");
    await signIn(page, "register", { password: "Analytical1" });
    await shows(page, '[data-for="username"]', "admin");
    await signIn(page, "login", { password: "Analytical2" });
    await shows(page, "#sign-in-message", "Incorrect username or password");

    expect(await page.textContent('[data-for="password"]')).toBe("");
  });

  it("sees names as text, whatever they contain", async () => {
    const api = await adminClient(run);
    const name = `<img src=x onerror="document.title='changed'">`;
    const product = { name, description: name, price: 1, stock: 9, category: "<b>odd</b>" };
    const { data } = await api.POST("/products", { body: product });
    const { page } = await openShop();
    await shows(page, "#products", name);

    expect(data?.name).toBe(name);
    expect(await page.locator("img, b").count()).toBe(0);
    expect(await page.title()).toBe("Corner Shop");
  });

  it("sees how to run the service if it does not run, and which setting lets in the page", async () => {
    const { page } = await openPage(await serveShop("http://localhost:1"));
    const text = "No response from http://localhost:1. Does the service run, by npm start -- --front-end";
    await shows(page, "#message", text);
    const target = inject("target");
    const { page: refused } = await openPage(await serveShop(target.kind === "http" ? target.url : ""));
    await shows(refused, "#message", "browserClients");
  });

  it("reaches the cart on a phone from anywhere, and is told what was added", async () => {
    const { page } = await openShop(phone);
    const cart = page.locator("#cart-section");
    const bar = page.locator("footer a");
    expect(await isInView(cart)).toBe(false);
    await page.click(`${FIRST_PRODUCT} button`);
    await page.click(`${FIRST_PRODUCT} button`);

    await shows(page, "[role=status]", `2 × ${await page.textContent(`${FIRST_PRODUCT} h2`)} in the cart`);
    expect(await isInView(bar)).toBe(true);
    expect(await bar.textContent()).toBe(`Cart: 2 · ${await page.textContent("#total")}`);
    await bar.press("Enter");
    await expect.poll(() => isInView(cart)).toBe(true);
    await page.click("#cart button");
    await page.click("#cart button");
    await shows(page, "[role=status]", "removed");
  });

  it.each([desktop, phone])("finds it accessible on $width pixels", async (size) => {
    const { page, complaints } = await openShop(size);
    await page.click(`${FIRST_PRODUCT} button`);
    await shows(page, "#cart", "1 ×");

    expect(await isWider(page)).toBe(false);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.click("#account");
    expect(await accessibilityProblems(page, "#sign-in")).toEqual([]);
    expect(complaints).toEqual([]);
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
  const headers = ["x-content-type-options", "content-security-policy"].map((name) => page.headers.get(name));
  expect([page.status, ...headers]).toEqual([200, "nosniff", "frame-ancestors 'none'"]);
});
