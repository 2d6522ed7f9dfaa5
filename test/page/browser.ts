import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";
import "../support/chromium.ts";

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

export type OpenPage = Awaited<ReturnType<typeof openPage>>;

let browser: Browser;

export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: inject("chromium"), chromiumSandbox: false });
  });
  afterAll(() => browser.close());
}

/** Opens a page without cookies and storage of other pages. */
export async function openPage(url: string, viewport = desktop) {
  const permissions = ["clipboard-read", "clipboard-write"];
  const context = await browser.newContext({ viewport, isMobile: viewport.width < 600, permissions });
  context.setDefaultTimeout(500_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning", "assert"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(url);
  return { page, complaints, requests };
}

export function isWider(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
