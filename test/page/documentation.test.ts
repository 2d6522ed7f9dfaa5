import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { allRoutes } from "../../functions/definitions.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { type Browser, startChromium } from "../support/browser/chromium.ts";
import { Page } from "../support/browser/page.ts";

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const widths = ["desktop", "phone"] as const;
const target = inject("target");
const origin = target.kind === "http" ? new URL(target.url).origin : "";

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium(inject("chromium"));
});
afterAll(() => browser.close());

async function openDocs(size: keyof typeof sizes = "desktop"): Promise<Page> {
  const page = await Page.open(browser, `${origin}/`, sizes[size]);
  await untilReady(page);
  return page;
}

/** The script puts this origin into the code. */
async function untilReady(page: Page): Promise<void> {
  await page.until(`document.querySelector(".sample code")?.textContent.includes(${JSON.stringify(origin)})`);
}

/** An operation on the page, which people fill in and send. */
function operation(page: Page, operationId: string) {
  const result = `#${operationId} .result`;
  return {
    async send(body?: unknown): Promise<{ status: string; body: string }> {
      if (body !== undefined) await page.write(`#${operationId} textarea`, JSON.stringify(body));
      await page.evaluate(`document.querySelector("${result}").replaceChildren()`);
      await page.click(`#${operationId} .send`);
      return { status: await page.text(`${result} .status`), body: await page.text(`${result} pre`) };
    },
    code: () => page.text(`#${operationId} .sample pre`),
  };
}

/** Signs in as the administrator, in the dialog. */
async function signIn(page: Page): Promise<void> {
  await page.click("#sign-in");
  await page.write("#account-form [name=username]", target.admin?.username ?? "");
  await page.write("#account-form [name=password]", target.admin?.password ?? "");
  await page.click("#account-form .primary");
  await page.until(`document.querySelector("#account-state").innerText.includes("Signed in")`);
  await page.click("#sign-in-dialog .close");
}

/** The tests of a size share a page: loading takes longer than each of them. */
describe.each(widths)("on a %s the page", (size) => {
  let page: Page;
  beforeAll(async () => {
    page = await openDocs(size);
  });

  it("shows every operation, complains of nothing, and calls nobody else", async () => {
    expect(await page.evaluate("location.pathname")).toBe("/docs");
    expect(await page.evaluate("document.querySelectorAll('form.operation').length")).toBe(allRoutes.length);
    expect(page.complaints).toEqual([]);
    expect(page.requests.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
  });

  it("takes less than 100 KB of the wire, with what it loads", async () => {
    const bytes = await page.evaluate<number>(`performance.getEntriesByType("navigation")
      .concat(performance.getEntriesByType("resource"))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);

    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(100_000);
  });

  it("is as wide as its window, also with a response shown", async () => {
    expect(await page.isWider()).toBe(false);
    expect((await operation(page, "listProducts").send()).status).toBe("200");
    expect(await page.isWider()).toBe(false);
    expect(page.complaints).toEqual([]);
  });

  it("can be used by everybody, in the colours of the system's setting", async () => {
    await operation(page, "getTodo").send();
    await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true })");

    expect(await accessibilityProblems(page)).toEqual([]);
    // axe reads the whole document, also for a dialog.
    await page.evaluate("document.querySelectorAll('form.operation').forEach((form) => form.remove())");
    await page.click("#sign-in");
    expect(await accessibilityProblems(page, "#sign-in-dialog")).toEqual([]);
  });
});

/** They share a page, too. */
describe("on the page a reader", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openDocs();
  });

  it("is asked for the id in a path", async () => {
    await page.write("#getTodo-path-id", "");
    await page.click("#getTodo .send");

    await page.until(`document.activeElement.matches("#getTodo-path-id:invalid")`);
    expect(page.requests.filter((url) => url.includes("/todos"))).toEqual([]);
  });

  it("is told why a sign-in failed", async () => {
    await page.click("#sign-in");
    await page.write("#account-form [name=username]", `nobody_${Date.now()}`);
    await page.write("#account-form [name=password]", "Analytical1");
    await page.click("#account-form .primary");

    await page.until(
      `document.querySelector("#sign-in-error").innerText === "401: Incorrect username or password"`,
    );
    await page.click("#sign-in-dialog .close");
  });

  it("copies a link, and sees in the sidebar where it leads", async () => {
    await page.click("#getTodo .copy-link");
    await page.until(`document.querySelector("#getTodo .copy-link").innerText === "Copied"`);

    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe(`${origin}/docs#getTodo`);
    await page.evaluate(`location.assign(${JSON.stringify(copied)})`);
    await page.until(`document.querySelector('#sidebar [href="#getTodo"][aria-current]')`);
  });

  it("sees no password of theirs, except while they write it", async () => {
    await page.write("#logIn textarea", `{"username":"ada","password":"my \\"own\\""}`);
    await page.write("#logIn-query-password", "mine, too");
    const code = await operation(page, "logIn").code();

    expect(code).toContain("/auth/login?password=%E2%80%A6'");
    expect(code).toContain(`-d '{"username":"ada","password":"…"}'`);
    expect(
      await page.evaluate(`getComputedStyle(document.querySelector("#logIn textarea")).webkitTextSecurity`),
    ).toBe("disc");
    expect(await page.evaluate(`document.querySelector("#logIn-query-password").type`)).toBe("password");
  });

  it("finds the best match first, and all by their parameters, fields, headers, statuses and texts", async () => {
    const search = async (words: string) => {
      await page.write("#search", words);
      return await page.evaluate<string[]>(`[...document.querySelectorAll("#sidebar a")]
        .filter((link) => link.checkVisibility()).map((link) => link.hash)`);
    };
    const all = await search("");

    const orderStatus = await search("order status");
    expect(orderStatus[0]).toBe("#changeOrderStatus");
    expect(orderStatus).toEqual(expect.arrayContaining(["#schema-OrderStatus", "#placeOrder"]));
    expect((await search("in_stock"))[0]).toBe("#listProducts");
    expect(await search("view_count")).toContain("#schema-Post");
    expect(await search("If-Match")).toContain("#updateTodo");
    expect(await search("cursor")).toContain("#listTodos");
    expect((await search("401")).slice(0, 12)).toEqual(expect.arrayContaining(["#logIn", "#getOwnAccount"]));
    expect((await search("prices of the moment"))[0]).toBe("#placeOrder");
    expect(await search("no such operation")).toEqual([]);
    expect(await page.text("#no-match")).toBe("Nothing found");
    expect(await search("")).toEqual(all);
  });
});

describe("on the page somebody", () => {
  it("registers, logs in, is signed in from then on, also after a reload, and orders", async () => {
    const page = await openDocs();
    const username = `page_${Date.now()}`;
    const password = "Analytical1";

    const account = { username, email: `${username}@example.com`, password };
    expect(await operation(page, "registerAccount").send(account)).toMatchObject({ status: "201" });
    expect(await operation(page, "logIn").send({ username, password })).toMatchObject({
      status: "200",
      body: expect.stringContaining("access_token"),
    });
    expect(await page.text("#sign-in")).toBe(username);
    await page.reload();
    await untilReady(page);
    expect(await operation(page, "getOwnAccount").send()).toMatchObject({
      status: "200",
      body: expect.stringContaining(username),
    });
    // With the example that stands there.
    expect(await operation(page, "placeOrder").send()).toMatchObject({
      status: "201",
      body: expect.stringContaining('"pending"'),
    });
    expect(page.complaints).toEqual([]);
  });

  it("uses a key, signs in, and out again", async () => {
    const page = await openDocs();

    await page.click("#sign-in");
    await page.write("#key-form input", target.apiKey ?? "");
    await page.click("#key-form button");
    await page.click("#sign-in-dialog .close");
    expect((await operation(page, "checkKey").send()).body).toContain("The key is valid.");
    await signIn(page);
    expect(await operation(page, "listAccounts").send()).toMatchObject({
      status: "200",
      body: expect.stringContaining(target.admin?.username ?? ""),
    });
    expect(page.complaints).toEqual([]);
    await page.click("#sign-in");
    await page.click("#sign-out");
    await page.click("#sign-in-dialog .close");
    expect(await operation(page, "listAccounts").send()).toMatchObject({ status: "401" });
  });

  it("reads code for what is in the form, in the language chosen last", async () => {
    const page = await openDocs();
    const order = operation(page, "placeOrder");

    await page.write("#placeOrder-query-user_id", "7");
    await page.write("#placeOrder textarea", '[{"product_id":3,"quantity":1}]');
    expect(await order.code()).toBe(
      `curl '${origin}/orders?user_id=7' \\\n  -H 'content-type: application/json' \\\n` +
        `  -d '[{"product_id":3,"quantity":1}]'`,
    );
    await page.click("#placeOrder [data-language=python]");
    expect(await order.code()).toContain('json=[{"product_id": 3, "quantity": 1}]');
    await page.reload();
    await untilReady(page);
    expect(await operation(page, "getTodo").code()).toContain("requests.get(");
  });

  it("opens the sidebar on a phone, and follows a link in it", async () => {
    const page = await openDocs("phone");

    await page.click("#menu");
    await page.click('#sidebar a[href="#placeOrder"]');

    expect(await page.evaluate("location.hash")).toBe("#placeOrder");
    await page.until(`!document.querySelector("#sidebar").checkVisibility()`);
  });
});
