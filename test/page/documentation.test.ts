import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { allRoutes } from "../../functions/definitions.ts";
import { accessibilityProblems } from "./accessibility.ts";
import { desktop, isWider, type OpenPage, openPage, phone, useBrowser } from "./browser.ts";

const target = inject("target");
const origin = target.kind === "http" ? new URL(target.url).origin : "";

const operations = new Set(allRoutes.map(({ operationId }) => operationId as string));

/** What has to be among the first five results, and what people type. */
const queries = {
  listTodos: ["pagination", "cursor"],
  conventions: ["rate limit", "429", "body too large", "problem details"],
  headers: ["retry-after", "ETag"],
  placeOrder: ["Not enough stock", "checkout", "oder", "idempotency key"],
  changeOrderStatus: ["cancel an order"],
  listProducts: ["prodcut"],
  updateProduct: ["If-Match"],
  logIn: ["json web token", "Incorrect username or password"],
  registerAccount: ["sign up"],
  checkKey: ["api key"],
  deletePost: ["remove a post"],
  "schema-ValidationError": ["ValidationError"],
};

const firstMatches = {
  changeOwnPassword: ["new password"],
  deleteOwnAccount: ["delete account"],
  placeOrder: ["stock"],
  logIn: ["sign in"],
  conventions: ["next page"],
};

/** Those for a text or an operation of this service, which may have fewer areas. */
const served = (expected: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(expected)
    .filter(([anchor]) => operations.has(anchor) || !/^[a-z]+[A-Z]/.test(anchor))
    .flatMap(([anchor, texts]) => texts.map((query) => [query, `#${anchor}`] as const));

useBrowser();

async function openDocs(size = desktop): Promise<OpenPage> {
  const opened = await openPage(`${origin}/`, size);
  await untilReady(opened.page);
  return opened;
}

/** The script puts this origin into the code. */
function untilReady(page: Page): Promise<void> {
  return page.locator(".sample code").first().filter({ hasText: origin }).waitFor({ state: "attached" });
}

/** Sends the request of an operation, which people fill in. @returns the status and the body that are shown */
async function send(page: Page, operationId: string, body?: unknown) {
  const form = page.locator(`#${operationId}`);
  if (body !== undefined) await form.locator("textarea").fill(JSON.stringify(body));
  await form.locator(".result").evaluate((result) => result.replaceChildren());
  await form.locator(".send").click();
  const status = await form.locator(".result .status").textContent();
  return `${status} ${await form.locator(".result pre").first().textContent()}`;
}

function codeOf(page: Page, operationId: string) {
  return page.locator(`#${operationId} .sample pre`).textContent();
}

async function signIn(page: Page, username = "", password = ""): Promise<Locator> {
  await page.click("#sign-in");
  await page.locator("#account-form [name=username]:focus").fill(username);
  await page.fill("#account-form [name=password]", password);
  await page.click("#account-form .primary");
  return page.locator("#sign-in-dialog .close");
}

/** The tests of a size share a page: loading takes longer than each of them. */
describe.each([desktop, phone])("on $width pixels the page", (size) => {
  let page: Page;
  let opened: OpenPage;
  beforeAll(async () => {
    opened = await openDocs(size);
    page = opened.page;
  });

  it("shows every operation, complains of nothing, and calls nobody else", async () => {
    expect(new URL(page.url()).pathname).toBe("/docs");
    expect(await page.locator("form.operation").count()).toBe(allRoutes.length);
    expect(opened.complaints).toEqual([]);
    expect(opened.requests.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
  });

  it("takes at most 11 KB of the wire and 325 bytes for each operation, together 30 KB", async () => {
    const sizes = await page.evaluate(() => {
      const entries = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type));
      return (entries as PerformanceResourceTiming[]).map(({ encodedBodySize }) => encodedBodySize);
    });
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(11_000 + 325 * allRoutes.length);
  });

  it("is as wide as its window, also with a response shown", async () => {
    expect(await isWider(page)).toBe(false);
    expect(await send(page, "listUsers")).toMatch(/^200 /);
    expect(await isWider(page)).toBe(false);
    expect(opened.complaints).toEqual([]);
  });

  it("can be used by everybody, in the colours of the system's setting", async () => {
    await send(page, "getUser");
    await page.evaluate((isPhone) => {
      for (const details of document.querySelectorAll("details")) details.open = true;
      // One of each area is enough there: operations have the same parts, and the wide page is checked whole.
      const others = document.querySelectorAll("form.operation ~ form.operation");
      if (isPhone) for (const form of others) form.remove();
    }, size === phone);

    expect(await accessibilityProblems(page)).toEqual([]);
    // axe reads the whole document, also for a dialog.
    await page.evaluate(() => {
      for (const form of document.querySelectorAll("form.operation")) form.remove();
    });
    await page.click("#sign-in");
    expect(await accessibilityProblems(page, "#sign-in-dialog")).toEqual([]);
  });
});

/** They share a page, too. */
describe("on the page a reader", () => {
  let page: Page;
  let requests: readonly string[];
  beforeAll(async () => {
    ({ page, requests } = await openDocs());
  });

  it("is asked for the id in a path", async () => {
    await page.fill("#getUser-path-id", "");
    await page.click("#getUser .send");

    await page.locator("#getUser-path-id:invalid:focus").waitFor();
    expect(requests.filter((url) => url.includes("/users/"))).toEqual([]);
  });

  it("reaches results with the arrow keys, and comes back", async () => {
    await page.fill("#search", "api key");
    await page.press("#search", "ArrowDown");
    await page.locator('#found a[href="#checkKey"]:focus').press("ArrowDown");
    await page.locator("#found li:nth-child(2) a:focus").press("ArrowUp");
    await page.locator("#found li:first-child a:focus").press("ArrowUp");
    await page.locator("#search:focus").fill("");
  });

  it("prints text, with the responses and nothing to press, an operation or more on each page", async () => {
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(":is(button, input, nav):visible").count()).toBe(0);
    expect(await page.locator("#getUser .response").first().getByText("Headers").isVisible()).toBe(true);
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeLessThan(Math.max(10, allRoutes.length));
    await page.emulateMedia({ media: "screen" });
  });

  it("is told why a sign-in failed", async () => {
    const closing = await signIn(page, `nobody_${Date.now()}`, "Analytical1");

    await page.getByText("401: Incorrect username or password", { exact: true }).waitFor();
    await closing.click();
  });

  it("copies a link, and sees in the sidebar where it leads", async () => {
    await page.click("#getUser .copy-link");
    await page.locator("#getUser .copy-link", { hasText: "Copied" }).waitFor();

    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`${origin}/docs#getUser`);
    await page.goto(copied);
    await page.locator('#sidebar [href="#getUser"][aria-current]').waitFor();
  });

  it("sees no password of theirs, except while they write it", async () => {
    const body = page.locator("#logIn textarea");
    await body.fill(`{"username":"ada","password":"my \\"own\\""}`);
    await page.fill("#logIn-query-password", "mine, too");
    const code = await codeOf(page, "logIn");

    expect(code).toContain("/auth/login?password=%E2%80%A6'");
    expect(code).toContain(`-d '{"username":"ada","password":"…"}'`);
    const style = (element: Element) => getComputedStyle(element).getPropertyValue("-webkit-text-security");
    expect(await body.evaluate(style)).toBe("disc");
    expect(await page.getAttribute("#logIn-query-password", "type")).toBe("password");
  });

  it("finds the best match first, and all by their parameters, fields, headers, statuses and texts", async () => {
    const search = async (words: string) => {
      await page.fill("#search", words);
      const links = page.locator("#sidebar a:visible");
      return await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).hash));
    };
    const all = await search("");

    for (const [query, anchor] of served(firstMatches)) expect((await search(query))[0], query).toBe(anchor);
    expect(await search("access_token")).toContain("#schema-Token");
    for (const [query, anchor] of served(queries))
      expect((await search(query)).slice(0, 5), query).toContain(anchor);
    expect(await search("no such operation")).toEqual([]);
    expect(await page.isVisible("#no-match")).toBe(true);
    expect(await search("")).toEqual(all);
  });
});

describe("on the page somebody", () => {
  it("registers, logs in, is signed in from then on, also after a reload, and creates a record", async () => {
    const { page, complaints } = await openDocs();
    const username = `page_${Date.now()}`;
    const password = "Analytical1";

    const account = { username, email: `${username}@example.com`, password };
    expect(await send(page, "registerAccount", account)).toMatch(/^201 /);
    expect(await send(page, "logIn", { username, password })).toMatch(/^200 .*access_token/s);
    expect(await page.textContent("#sign-in")).toBe(username);
    await page.reload();
    await untilReady(page);
    expect(await send(page, "getOwnAccount")).toMatch(RegExp(`^200 .*${username}`, "s"));
    // With the example that stands there.
    expect(await send(page, "createUser")).toMatch(/^201 .*"ada@example\.com"/s);
    expect(complaints).toEqual([]);
  });

  it("uses a key, signs in, and out again", async () => {
    const { page, complaints } = await openDocs();

    await page.click("#sign-in");
    await page.fill("#key-form input", target.apiKey ?? "");
    await page.click("#key-form button");
    await page.click("#sign-in-dialog .close");
    expect(await send(page, "checkKey")).toContain("The key is valid.");
    const closing = await signIn(page, target.admin?.username, target.admin?.password);
    await page.locator("#account-state", { hasText: "Signed in" }).waitFor();
    await closing.click();
    expect(await send(page, "listAccounts")).toMatch(RegExp(`^200 .*"${target.admin?.username}"`, "s"));
    expect(complaints).toEqual([]);
    await page.click("#sign-in");
    await page.click("#sign-out");
    await page.click("#sign-in-dialog .close");
    expect(await send(page, "listAccounts")).toMatch(/^401 /);
  });

  it("reads code for what is in the form, in the language chosen last", async () => {
    const { page } = await openDocs();

    await page.fill("#listUsers-query-limit", "7");
    expect(await codeOf(page, "listUsers")).toBe(`curl '${origin}/users?name=ad&sort=age&limit=7'`);
    await page.fill("#createUser textarea", '{"name":"Ada","age":null}');
    const curl = `curl ${origin}/users \\\n  -H 'content-type: application/json' \\\n  -d '{"name":"Ada","age":null}'`;
    expect(await codeOf(page, "createUser")).toBe(curl);
    await page.click("#createUser [data-language=python]");
    expect(await codeOf(page, "createUser")).toContain('json={"name": "Ada", "age": None}');
    await page.reload();
    await untilReady(page);
    expect(await codeOf(page, "getUser")).toContain("requests.get(");
  });

  it("opens the sidebar on a phone, and follows a link in it", async () => {
    const { page } = await openDocs(phone);

    await page.click("#menu");
    await page.click('#sidebar a[href="#createUser"]');

    expect(new URL(page.url()).hash).toBe("#createUser");
    await page.locator("#sidebar").waitFor({ state: "hidden" });
  });
});
