import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DevView } from "../../local/dev-view/dev-view.ts";
import type { LocalRun } from "../../local/run.ts";
import { servedRequest } from "../support/data/served-request.ts";
import { runInMemory } from "../support/programs/run.ts";
import { accessibilityProblems } from "./accessibility.ts";
import { desktop, isWider, openPage, phone, useBrowser } from "./browser.ts";

let run: LocalRun;
const view = new DevView();
useBrowser();
beforeAll(async () => {
  run = await runInMemory({
    log: (line) => view.addLine(line),
    onResponse: (served) => view.addRequest(served),
    intercept: view.intercept,
  });
});
afterAll(async () => {
  view.close();
  await run.close();
});

async function openView(size = desktop) {
  const opened = await openPage(`${run.url}${view.path}`, size);
  await opened.page.getByText("Connected", { exact: true }).waitFor();
  return opened;
}

function shownPaths(page: Page): Promise<string[]> {
  return page.locator("#requests summary span:nth-child(3):visible").allTextContents();
}

function rowOf(page: Page, path: string): Locator {
  const shown = page.locator("summary span:nth-child(3)").getByText(path, { exact: true });
  return page.locator("#requests details").filter({ has: shown }).first();
}

describe("the page of requests", () => {
  it("hides the files of the documentation page", async () => {
    const { page } = await openView();
    await (await fetch(`${run.url}/docs/assets/none`)).text();
    await (await fetch(`${run.url}/error`)).text();
    await rowOf(page, "/error").waitFor();

    expect(await shownPaths(page)).not.toContain("/docs/assets/none");
  });

  it("shows a request when it is served, with its calls to DynamoDB and its log line", async () => {
    const { page, complaints } = await openView();
    const response = await fetch(`${run.url}/users?secret=x`, {
      method: "POST",
      body: '{"name":"Watch","email":"ada@example.com","age":36}',
    });
    const id = response.headers.get("x-request-id") ?? "";

    const summary = rowOf(page, "/users").locator("summary");
    await summary.waitFor();
    const shown = /POST\s+\/users\s+201\s+\d+ ms\s+cold\s+[\d.]+\s+\d+$/;
    expect(await summary.allInnerTexts()).toEqual([expect.stringMatching(shown)]);
    await summary.click();
    await page.locator("#requests .detail > pre:last-child", { hasText: id }).waitFor();
    const [detail] = await page.locator("#requests .detail").allInnerTexts();
    expect(detail).toContain(`Route POST /users · request ${id}`);
    // The id is allocated before the record is written.
    expect(detail).toMatch(/1\. UpdateItem Users · allowed[\s\S]*2\. \w+ Users · allowed/);
    expect(detail).toMatch(/[\d.]+ ms, at [\d.]+\s+[\d.]+ units?/);
    expect(detail).toContain('"route":"POST /users"');
    expect(detail).toMatch(/Request\s+\{\s+"name": "Watch",[^}]*\}\s+Response\s+\{\s+"id": 1,/);
    expect(detail).not.toMatch(/secret=x|_aws/);
    expect(complaints).toEqual([]);
  });

  it("filters by route, status and request id", async () => {
    await fetch(`${run.url}/users/1`);
    const missing = await fetch(`${run.url}/users/999`);
    const { page } = await openView();
    await rowOf(page, "/users/999").waitFor();

    await page.fill("#filter", "{id} 404");
    expect(await shownPaths(page)).toEqual(["/users/999"]);
    await page.fill("#filter", missing.headers.get("x-request-id") ?? "");
    expect(await shownPaths(page)).toEqual(["/users/999"]);
    await page.fill("#filter", "health");
    expect(await shownPaths(page)).toEqual([]);
  });

  it("shows what IAM refuses", async () => {
    const { page } = await openView();
    view.addRequest({
      ...servedRequest,
      target: "/refused",
      calls: [
        {
          operation: "Scan",
          resources: [],
          startedAt: 1,
          milliseconds: 1,
          capacityUnits: 0,
          statusCode: 400,
          denial: "not authorized to perform: dynamodb:Scan",
        },
      ],
    });
    await rowOf(page, "/refused").locator("summary").click();

    expect(await page.textContent("#requests .call .bad")).toContain(
      "not authorized to perform: dynamodb:Scan",
    );
  });

  it.each([desktop, phone])("can be used by everybody on $width pixels", async (size) => {
    await fetch(`${run.url}/health`);
    const { page } = await openView(size);
    await rowOf(page, "/health").locator("summary").click();
    await page.locator("#requests .detail > pre:last-child", { hasText: "health" }).first().waitFor();

    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await isWider(page)).toBe(false);
  });
});
