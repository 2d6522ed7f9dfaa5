import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { routesByGroup } from "../../functions/routes.ts";
import { type Browser, startChromium } from "../support/browser/chromium.ts";
import { Page } from "../support/browser/page.ts";

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const target = inject("target");
const origin = target.kind === "http" ? new URL(target.url).origin : "";

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium(inject("chromium"));
});
afterAll(() => browser.close());

async function openDocs(size: keyof typeof sizes = "desktop"): Promise<Page> {
  const page = await Page.open(browser, `${origin}/`, sizes[size]);
  await page.until(`document.querySelector(".opblock")`, "operation");
  return page;
}

/** An operation on the page, which people open, fill in and execute. */
function operation(page: Page, tag: string, operationId: string) {
  const at = `#operations-${tag}-${operationId}`;
  return {
    async execute(body?: unknown): Promise<{ status: string; body: string }> {
      await page.click(`${at} .opblock-summary-control`);
      await page.click(`${at} .try-out__btn`);
      if (body !== undefined) await page.write(`${at} textarea`, JSON.stringify(body));
      await page.click(`${at} .execute`);
      const response = `${at} .live-responses-table .response`;
      return {
        status: (await page.text(`${response} .response-col_status`)).trim(),
        body: await page.text(`${response} .response-col_description .highlight-code, ${response} pre`),
      };
    },
  };
}

describe.each(["desktop", "phone"] as const)("on a %s the page", (size) => {
  it("shows every operation, complains of nothing, and calls nobody else", async () => {
    const page = await openDocs(size);

    expect(await page.evaluate("location.pathname")).toBe("/docs");
    expect(await page.evaluate("document.querySelectorAll('.opblock').length")).toBe(
      Object.values(routesByGroup).flat().length,
    );
    expect(await page.text(".info")).toContain("From registration to the first order");
    expect(await page.evaluate("document.querySelector('.servers')?.innerText")).toContain(origin);
    expect(page.complaints).toEqual([]);
    expect(page.requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith("data:"))).toEqual(
      [],
    );
  });

  it("looks like something", async () => {
    const picture = await (await openDocs(size)).screenshot();

    // PNG: width and height follow the name of the first chunk; a page of one colour takes a few kilobytes.
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual(Object.values(sizes[size]));
    expect(picture.length).toBeGreaterThan(20_000);
  });

  it("is as wide as its window, also with an response shown", async () => {
    const page = await openDocs(size);
    const isWider = "document.documentElement.scrollWidth > innerWidth";

    expect(await page.evaluate(isWider)).toBe(false);
    expect((await operation(page, "products", "listProducts").execute()).status).toBe("200");
    expect(await page.evaluate(isWider)).toBe(false);
    expect(page.complaints).toEqual([]);
  });
});

describe("on the page somebody", () => {
  it("registers, logs in, is authorized from then on, and orders", async () => {
    const page = await openDocs();
    const username = `page_${Date.now()}`;
    const password = "Analytical1";

    const account = { username, email: `${username}@example.com`, password };
    expect(await operation(page, "accounts", "registerAccount").execute(account)).toMatchObject({
      status: "201",
    });
    expect(await operation(page, "accounts", "logIn").execute({ username, password })).toMatchObject({
      status: "200",
      body: expect.stringContaining("access_token"),
    });
    expect(await operation(page, "accounts", "getOwnAccount").execute()).toMatchObject({
      status: "200",
      body: expect.stringContaining(username),
    });
    // With the example that stands there.
    expect(await operation(page, "orders", "placeOrder").execute()).toMatchObject({
      status: "201",
      body: expect.stringContaining('"pending"'),
    });
    expect(page.complaints).toEqual([]);
  });

  it("authorizes with a key in the dialog", async () => {
    const page = await openDocs();

    await page.click(".btn.authorize");
    await page.write("#api_key_value", target.apiKey ?? "");
    await page.click(".auth-container:last-child .btn.authorize");
    await page.click(".auth-container:last-child .btn-done");

    expect(await operation(page, "api-key", "checkKey").execute()).toMatchObject({
      status: "200",
      body: expect.stringContaining("The key is valid."),
    });
    expect(page.complaints).toEqual([]);
  });

  it("authorizes with a token in the dialog", async () => {
    const page = await openDocs();
    const { username = "", password = "" } = target.admin ?? {};
    const login = await fetch(`${origin}/auth/login`, {
      method: "POST",
      body: JSON.stringify({ username, password }),
    });
    const { access_token: token } = (await login.json()) as { access_token: string };

    await page.click(".btn.authorize");
    await page.write("#auth-bearer-value", token);
    await page.click(".auth-container:first-child .btn.authorize");
    await page.click(".auth-container:first-child .btn-done");

    expect(await operation(page, "accounts", "listAccounts").execute()).toMatchObject({
      status: "200",
      body: expect.stringContaining(username),
    });
    expect(page.complaints).toEqual([]);
  });
});
