import type { Locator, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { DevView } from "../../local/dev-view/dev-view.ts";
import { runInMemory } from "../support/programs/run.ts";
import { accessibilityProblems } from "./accessibility.ts";
import { desktop, isWider, openPage, phone, useBrowser } from "./browser.ts";

const view = new DevView();
const targets: string[] = [];
useBrowser();
const run = await runInMemory({
  log: (line) => view.addLine(line),
  onResponse(served) {
    targets.push(served.target);
    view.addRequest(served);
  },
  intercept: view.intercept,
});
view.open(run);
afterAll(async () => {
  view.close();
  await run.close();
});

async function openView(size = desktop) {
  const opened = await openPage(`${run.url}${view.path}`, size);
  await opened.page.getByText("Connected", { exact: true }).waitFor();
  return opened;
}

const shownPaths = (page: Page) => page.locator("#rows tr:visible .open").allTextContents();
const copiedIn = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** The newest row of a path. */
function rowOf(page: Page, path: string): Locator {
  const open = page.locator(".open").getByText(path, { exact: true });
  return page.locator("#rows tr").filter({ has: open }).first();
}

describe("the page of requests", () => {
  it("shows a request when it is served, with its calls to DynamoDB and its log line", async () => {
    const { page, complaints } = await openView();
    const response = await post("/users?secret=x", { name: "Watch", email: "ada@example.com", age: 36 });
    const id = response.headers.get("x-request-id") ?? "";

    const row = rowOf(page, "/users?secret=•••");
    await row.waitFor();
    const shown =
      /^201\s+POST\s+\/users\?secret=•••\s+users\s+\d+ ms\s+cold\s+[\d.]+\s+\d+\s+(now|\d+ s ago)$/;
    expect(await row.allInnerTexts()).toEqual([expect.stringMatching(shown)]);
    await row.click();
    await page.locator(".pane pre", { hasText: `requestId=${id}` }).waitFor();
    const [detail] = await page.locator(".pane").allInnerTexts();
    expect(detail).toContain(`function users · request ${id}`);
    for (const part of [
      // The id is allocated before the record is written.
      /UpdateItem Users · allowed, done.*Key "ids" \/ -1.*\w+ Users · allowed/s,
      /\n0\.0 ms\s.*[\d.]+ units?, [\d.]+ ms at \d+ ms/s,
      /INFO request {2}/,
      /Response\s+201\s.*\{\s+"id": 1,.*Request\s+POST .*\{\s+"name": "Watch",[^}]*\}/s,
    ])
      expect(detail).toMatch(part);
    expect(detail).not.toMatch(/secret=x|_aws/);
    expect(complaints).toEqual([]);
  });

  it("shows an error as a terminal does, with frames that open the editor", async () => {
    await fetch(`${run.url}/errors/500`);
    const { page } = await openView();
    await rowOf(page, "/errors/500").click();

    const log = page.locator(".pane pre").last();
    const text = await log.textContent();
    const frame = "functions/demonstration/routes\\.ts:\\d+:\\d+";
    expect(text).toMatch(
      RegExp(`ERROR request failed .*\n +ApiError: .*\n +at errorWithStatus \\(${frame}\\)\n`),
    );
    expect(text).not.toContain("asset.");
    const link = await log.locator("a").first().getAttribute("href");
    expect(link).toMatch(RegExp(`^vscode://file/.*[^/]/${frame}$`));
  });

  it("names the operation of a path with a slash at its end", async () => {
    await post("/users/", {});
    const { page } = await openView();
    await rowOf(page, "/users/").click();

    expect(await page.getByText("registerAccount").getAttribute("href")).toBe("/docs#registerAccount");
    await page.getByText(/^functions\/accounts\/\S+\.ts:\d+$/).waitFor();
    await page.getByText("Copy as client call").click();
    await expect.poll(() => copiedIn(page)).toContain('await api.POST("/users/", {');
  });

  it("sends again as it was and edited, with the secrets that it hides", async () => {
    const [key = ""] = (run.secrets().ApiKeys ?? "").split(",");
    await fetch(`${run.url}/api/protected?n=1&secret=x`, { headers: { "x-api-key": key } });
    const { page } = await openView();
    await rowOf(page, "/api/protected?n=1&secret=•••").click();
    await page.getByText("x-api-key: •••").waitFor();
    expect(await page.content()).not.toContain(key);

    await page.getByText("Copy as curl").click();
    await page.getByText("Copied").waitFor();
    const curl = `curl '${run.url}/api/protected?n=1&secret=•••' \\\n  -H "x-api-key: $API_KEY"`;
    expect(await copiedIn(page)).toBe(curl);
    await page.getByText("Copy as client call").click();
    await expect.poll(() => copiedIn(page)).toContain('await api.GET("/api/protected", {');
    expect(await copiedIn(page)).toMatch(/query: \{\s+n: 1,\s+secret: "•••"\s+\}/);

    await page.getByText("Send again").click();
    await page.getByText("Sent: the newest row").waitFor();
    await page.getByText("Edit and send").click();
    const text = page.getByLabel("Request with headers");
    const sendIt = () => page.getByRole("button", { name: "Send", exact: true }).click();
    await text.fill((await text.inputValue()).replace("?n=1", "?n=2&n=3").replace("\n", "\n\n"));
    await sendIt();
    await rowOf(page, "/api/protected?n=2&n=3&secret=•••").waitFor();
    expect(targets.at(-1)).toBe("/api/protected?n=2&n=3&secret=x");
    expect(await page.locator("#rows tr", { hasText: "n=1" }).count()).toBe(2);
    await text.fill("GET /→");
    await sendIt();
    await page.getByText("Request path contains unescaped characters").waitFor();
    await page.getByLabel("Body", { exact: true }).fill('{"password":"•••"}');
    await sendIt();
    await page.getByText("Replace each •••").waitFor();
    expect(await text.inputValue()).toBe("GET /→");
    expect(await page.locator("#rows tr", { hasText: /^401.*protected/s }).count()).toBe(0);
  });

  it("filters by method, status, function and text, but not by the names of fields", async () => {
    await fetch(`${run.url}/users/1`);
    await fetch(`${run.url}/users/999`, { method: "HEAD" });
    const missing = await fetch(`${run.url}/users/999`);
    const { page } = await openView();
    await rowOf(page, "/users/999").waitFor();

    const find = (text: string) => page.fill("[type=search]", text).then(() => shownPaths(page));
    // Of the body: digits can stand by chance in times and ids.
    expect(await find("{id} null,")).toEqual(["/users/999"]);
    expect(await find(missing.headers.get("x-request-id") ?? "")).toEqual(["/users/999"]);
    expect(await find("watch users?secret=")).toEqual(["/users?secret=•••"]);
    expect(await find("milliseconds")).toEqual([]);
    await page.getByText("No request matches.").waitFor();
    await page.getByText("Show all").click();
    await rowOf(page, "/users/999").waitFor();
    for (const [name, value] of Object.entries({ method: "POST", status: "2xx", function: "users" }))
      await page.selectOption(`[name=${name}]`, value);
    expect(await shownPaths(page)).toEqual(["/users?secret=•••"]);
    await page.selectOption("[name=status]", "4xx");
    expect(new Set(await shownPaths(page))).toEqual(new Set(["/users/"]));
  });

  it("can be used with the keyboard alone", async () => {
    for (const path of ["/error", "/health"]) await fetch(run.url + path);
    const { page } = await openView();
    await rowOf(page, "/health").locator(".open").press("Enter");
    const title = page.locator(".pane h2").first();
    expect(await title.textContent()).toBe("200 GET /health");
    await page.keyboard.press("ArrowDown");
    expect(await title.textContent()).toBe("400 GET /error");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").textContent()).toBe("Close");
    await page.keyboard.press("Escape");
    expect(await title.count()).toBe(0);
    expect(await page.locator(":focus").textContent()).toBe("/error");
  });

  it.each([desktop, phone])("can be used by everybody on $width pixels", async (size) => {
    await fetch(`${run.url}/health`);
    const { page } = await openView(size);
    await rowOf(page, "/health").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await rowOf(page, "/health").click();
    await page.locator(".pane pre", { hasText: "route=GET /health" }).waitFor();

    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await isWider(page)).toBe(false);
  });

  it("keeps the requests of the last start for a reload of the page, until they are cleared", async () => {
    const { page } = await openView();
    await page.evaluate(() => {
      const [request] = JSON.parse(sessionStorage.requests ?? "[{}]");
      addEventListener("pagehide", () => {
        const kept = JSON.parse(sessionStorage.requests);
        sessionStorage.requests = JSON.stringify([{ ...request, ...kept[0], id: "old", target: "/before" }]);
      });
    });
    await page.reload();
    await rowOf(page, "/before").waitFor();

    const { page: other } = await openView();
    await page.getByRole("button", { name: "Clear" }).click();
    for (const each of [page, other]) await each.getByText("Waiting for requests").waitFor();
    await page.reload();
    await page.getByText("Connected", { exact: true }).waitFor();
    await page.getByText("Waiting for requests").waitFor();
    expect(await shownPaths(page)).toEqual([]);
  });
});

describe("the page of the data", () => {
  async function openData(area: string, size = desktop) {
    const opened = await openPage(`${run.url}${view.path}/data?area=${area}`, size);
    await opened.page.getByText(/^\d+ of \d+ records/).waitFor();
    const questions: string[] = [];
    opened.page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      return dialog.accept();
    });
    return { ...opened, questions };
  }
  const shownIds = (page: Page) => page.locator("tbody .open").allTextContents();

  it("is a table in the order of the schema, filtered and sorted, without internal items", async () => {
    const byron = { name: "Ada Byron", email: "ada@example.com" };
    await Promise.all(Array.from({ length: 20 }, (_, i) => post("/users", { ...byron, age: 36 + i })));
    const { page } = await openData("users");
    const heads = await page.locator("#records th").allTextContents();
    expect(heads).toEqual(["id ↑ integer", "name  string", "email  string", "age  integer"]);
    expect((await shownIds(page)).slice(0, 3)).toEqual(["1", "2", "3"]);
    await page.getByRole("button", { name: "id" }).click();
    await page.getByRole("button", { name: "id ↓" }).waitFor();
    expect((await shownIds(page)).at(-1)).toBe("1");
    await page.getByRole("button", { name: "age" }).click();
    await page.getByRole("button", { name: "age ↑" }).waitFor();
    const ages = await page.locator("tbody td:last-child").allTextContents();
    expect(ages.map(Number)).toEqual(ages.map(Number).toSorted((a, b) => a - b));
    const counts = { "id:7": 1, "name:byron age:40": 1, byron: 20, "name:grace": 0, email: 0 };
    for (const [search, count] of Object.entries(counts)) {
      await page.fill("[type=search]", search);
      expect((await shownIds(page)).length, search).toBe(count);
    }
    const internal = page.locator("#internal pre");
    expect(await internal.isVisible()).toBe(false);
    await page.locator("#internal summary").click();
    expect(await internal.textContent()).toContain('"pk":"ids"');
  });

  it("creates, changes and deletes by forms, which keep what was refused", async () => {
    const { page, complaints, questions } = await openData("users");
    const pane = page.locator(".pane");
    const row = page.locator("tbody tr", { has: page.locator(".open").getByText("2", { exact: true }) });
    await row.click();
    await page.getByLabel("age").fill("-1");
    await page.getByRole("button", { name: "Save" }).click();
    await pane.getByText(/^400\s/).waitFor();
    expect(await page.getByLabel("age").inputValue()).toBe("-1");
    await page.getByLabel("age").fill("77");
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByText("77", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await row.waitFor({ state: "detached" });
    expect(questions).toEqual([expect.stringMatching(/^Delete \/users\/2 for good\?[\s\S]*"age": 77/)]);
    expect((await fetch(`${run.url}/users/2`)).status).toBe(404);

    await page.getByRole("button", { name: "New" }).click();
    await page.getByLabel("name").fill("Grace");
    await pane.getByRole("button", { name: "New" }).click();
    await page.getByText("Grace", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it.each([desktop, phone])("can be used by everybody on $width pixels", async (size) => {
    const { page } = await openData("users", size);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await isWider(page)).toBe(false);
    await page.locator("tbody .open").first().press("Enter");
    await page.getByRole("button", { name: "Delete" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await isWider(page)).toBe(false);
  });
});

function post(path: string, body: object): Promise<Response> {
  return fetch(run.url + path, { method: "POST", body: JSON.stringify(body) });
}
