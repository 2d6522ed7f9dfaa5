import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { DevView } from "../../local/dev-view/dev-view.ts";
import type { LocalRun } from "../../local/run.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { type Browser, startChromium } from "../support/browser/chromium.ts";
import { Page } from "../support/browser/page.ts";
import { runInMemory } from "../support/programs/run.ts";

const size = { width: 1280, height: 900 };

let browser: Browser;
let run: LocalRun;
const view = new DevView();
beforeAll(async () => {
  browser = await startChromium(inject("chromium"));
  run = await runInMemory({
    log: (line) => view.addLine(line),
    onResponse: (served) => view.addRequest(served),
    intercept: view.intercept,
  });
});
afterAll(async () => {
  view.close();
  await run.close();
  await browser.close();
});

async function openView(): Promise<Page> {
  const page = await Page.open(browser, `${run.url}${view.path}`, size);
  await page.until(`document.querySelector("#state")?.textContent === "Connected"`);
  return page;
}

/** The row of the newest request to a path. */
function row(path: string): string {
  return `[...document.querySelectorAll("#requests details")].find((row) =>
    row.querySelector("summary span:nth-child(3)").textContent === "${path}")`;
}

describe("the page of requests", () => {
  it("hides the files of the documentation page", async () => {
    const page = await openView();
    await (await fetch(`${run.url}/docs/assets/none`)).text();
    await (await fetch(`${run.url}/error`)).text();
    await page.until(row("/error"));

    expect(await page.evaluate(`${row("/docs/assets/none")} === undefined`)).toBe(true);
  });

  it("shows a request when it is served, with its calls to DynamoDB and its log line", async () => {
    const page = await openView();
    const response = await fetch(`${run.url}/users?secret=x`, {
      method: "POST",
      body: '{"name":"Watch","email":"ada@example.com","age":36}',
    });
    const id = response.headers.get("x-request-id") ?? "";

    const summary = await page.until<string>(`${row("/users")}?.querySelector("summary").innerText`);
    expect(summary).toMatch(/POST\s+\/users\s+201\s+\d+ ms\s+cold\s+[\d.]+\s+\d+$/);
    await page.click("#requests summary");
    const detail = await page.until<string>(
      `document.querySelector("#requests .detail > pre:last-child")?.textContent.includes("${id}")
        && document.querySelector("#requests .detail").innerText`,
    );
    expect(detail).toContain(`Route POST /users · request ${id}`);
    // The id is allocated before the record is written.
    expect(detail).toMatch(/1\. UpdateItem Users · allowed[\s\S]*2\. \w+ Users · allowed/);
    expect(detail).toMatch(/[\d.]+ ms, at [\d.]+\s+[\d.]+ units?/);
    expect(detail).toContain('"route":"POST /users"');
    expect(detail).toMatch(/Request\s+\{\s+"name": "Watch",[^}]*\}\s+Response\s+\{\s+"id": 1,/);
    expect(detail).not.toMatch(/secret=x|_aws/);
    expect(page.complaints).toEqual([]);
  });

  it("filters by route, status and request id", async () => {
    await fetch(`${run.url}/users/1`);
    const missing = await fetch(`${run.url}/users/999`);
    const page = await openView();
    await page.until(row("/users/999"));
    const shown = `[...document.querySelectorAll("#requests details:not([hidden])")]
      .map((row) => row.querySelector("summary span:nth-child(3)").textContent)`;

    await page.write("#filter", "{id} 404");
    expect(await page.evaluate(shown)).toEqual(["/users/999"]);
    await page.write("#filter", missing.headers.get("x-request-id") ?? "");
    expect(await page.evaluate(shown)).toEqual(["/users/999"]);
    await page.write("#filter", "health");
    expect(await page.evaluate(shown)).toEqual([]);
  });

  it("shows what IAM refuses", async () => {
    const page = await openView();
    view.addRequest({
      requestId: "refused",
      method: "GET",
      target: "/refused",
      statusCode: 500,
      startedAt: 0,
      milliseconds: 10,
      capacityUnits: 0,
      requestBody: undefined,
      response: { statusCode: 200, headers: {}, body: Buffer.alloc(0) },
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
    await page.until(row("/refused"));
    await page.click("#requests summary");

    expect(await page.text("#requests .call .bad")).toContain("not authorized to perform: dynamodb:Scan");
  });

  it.each([size, { width: 390, height: 844 }])("can be used by everybody on $width pixels", async (size) => {
    await fetch(`${run.url}/health`);
    const page = await openView();
    await page.resize(size);
    await page.until(row("/health"));
    await page.click("#requests summary");
    await page.until(
      `document.querySelector("#requests .detail > pre:last-child")?.textContent.includes("health")`,
    );

    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.isWider()).toBe(false);
  });
});
