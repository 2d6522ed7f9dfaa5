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
const targets: string[] = [];
useBrowser();
beforeAll(async () => {
  run = await runInMemory({
    log: (line) => view.addLine(line),
    onResponse(served) {
      targets.push(served.target);
      view.addRequest(served);
    },
    intercept: view.intercept,
  });
  view.open(run);
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

    const summary = rowOf(page, "/users?secret=•••").locator("summary");
    await summary.waitFor();
    const shown = /POST\s+\/users\?secret=•••\s+201\s+\d+ ms\s+cold\s+[\d.]+\s+\d+$/;
    expect(await summary.allInnerTexts()).toEqual([expect.stringMatching(shown)]);
    await summary.click();
    await page.locator("#requests .detail > pre:last-child", { hasText: id }).waitFor();
    const [detail] = await page.locator("#requests .detail").allInnerTexts();
    expect(detail).toContain(`Route POST /users · request ${id}`);
    // The id is allocated before the record is written.
    expect(detail).toMatch(
      /UpdateItem Users · allowed, done[\s\S]*Key "ids" \/ -1[\s\S]*\w+ Users · allowed/,
    );
    expect(detail).toMatch(/[\d.]+ units?, [\d.]+ ms at \d+/);
    expect(detail).toContain('"route":"POST /users"');
    expect(detail).toMatch(
      /Request\s+POST [\s\S]*\{\s+"name": "Watch",[^}]*\}\s+Response\s+201\s[\s\S]*\{\s+"id": 1,/,
    );
    expect(detail).not.toMatch(/secret=x|_aws/);
    expect(complaints).toEqual([]);
  });

  it("sends again as it was and edited, with the secrets that it hides", async () => {
    const [key = ""] = (run.secrets().ApiKeys ?? "").split(",");
    await fetch(`${run.url}/api/protected?n=1&secret=x`, { headers: { "x-api-key": key } });
    const { page } = await openView();
    await rowOf(page, "/api/protected?n=1&secret=•••").locator("summary").click();
    // A request that is sent again has a row above it.
    const row = page.locator("#requests details[open]");
    await row.getByText("x-api-key: •••").waitFor();
    expect(await page.content()).not.toContain(key);
    await row.getByText("documentation").waitFor();
    expect(await row.getByText(/^functions\/api-key\/routes\.ts:\d+$/).getAttribute("href")).toMatch(
      /^vscode:/,
    );

    await row.getByText("Copy as curl").click();
    await row.getByText("Copied").waitFor();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await copied()).toBe(
      `curl '${run.url}/api/protected?n=1&secret=•••' \\\n  -H "x-api-key: $API_KEY"`,
    );

    await row.getByText("Copy as client call").click();
    await expect.poll(copied).toContain('await api.GET("/api/protected", {');
    expect(await copied()).toMatch(/"query": \{\s+"n": 1,\s+"secret": "•••"\s+\}/);

    await row.getByText("Send again").click();
    await page.getByText("Sent: the newest row").waitFor();
    await row.getByText("Edit and send").click();
    const text = page.getByLabel("Request with headers");
    await text.fill((await text.inputValue()).replace("?n=1", "?n=2&n=3").replace("\n", "\n\n"));
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const edited = rowOf(page, "/api/protected?n=2&n=3&secret=•••");
    await edited.waitFor();
    expect(targets.at(-1)).toBe("/api/protected?n=2&n=3&secret=x");
    expect(await page.locator("summary", { hasText: "n=1" }).count()).toBe(2);
    await row.getByText("Edit and send").click();
    await text.fill("GET /→");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await row.getByText("Request path contains unescaped characters").waitFor();
    await row.getByText("Edit and send").click();
    await page.getByLabel("Body", { exact: true }).fill('{"password":"•••"}');
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await row.getByText("Replace each •••").waitFor();
    expect(await page.locator("summary", { hasText: /protected.*401/s }).count()).toBe(0);
  });

  it("keeps the requests of the last start for a reload of the page", async () => {
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
  });

  it("filters by everything that it shows", async () => {
    await fetch(`${run.url}/users/1`);
    const missing = await fetch(`${run.url}/users/999`);
    const { page } = await openView();
    await rowOf(page, "/users/999").waitFor();

    // Of the body: digits can stand by chance in times and ids.
    await page.fill("#filter", "{id} null,");
    expect(await shownPaths(page)).toEqual(["/users/999"]);
    await page.fill("#filter", missing.headers.get("x-request-id") ?? "");
    expect(await shownPaths(page)).toEqual(["/users/999"]);
    await page.fill("#filter", "watch UpdateItem secret=");
    expect(await shownPaths(page)).toEqual(["/users?secret=•••"]);
    await page.fill("#filter", "no such text");
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
          request: {},
          response: "{}",
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

    expect(await page.textContent("#requests .call .alert")).toContain(
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

describe("the page of the data", () => {
  async function openData(query: string, size = desktop) {
    const opened = await openPage(`${run.url}${view.path}/data?${query}`, size);
    await opened.page.getByText(/^Page \d+ of|^Nothing found/).waitFor();
    opened.page.on("dialog", (dialog) => dialog.accept());
    return opened;
  }
  const shownIds = (page: Page) => page.locator(".record span:first-child").allTextContents();

  it("finds records by id, by field and by any text, on pages", async () => {
    const users = Array.from({ length: 60 }, () => ({
      name: "Ada Byron",
      email: "ada@example.com",
      age: 36,
    }));
    await Promise.all(users.map((user) => post("/users", user)));
    const { page } = await openData("area=users");
    expect((await shownIds(page)).slice(0, 3)).toEqual(["1", "2", "3"]);
    await page.getByText("Next").click();
    await page.getByText(/^Page 2 of 2, 6\d in all/).waitFor();
    expect((await shownIds(page)).at(-1)).toBe("internal");
    for (const [search, ids] of [
      ["12", ["12"]],
      ["id:7", ["7"]],
      ["name:byron age:36 9", ["9"]],
      ["name:grace", []],
    ] as const) {
      const { page: found } = await openData(new URLSearchParams({ area: "users", search }).toString());
      expect(await shownIds(found), search).toEqual(ids);
    }
  });

  it("creates, changes and deletes by the API, as administrator where one is needed", async () => {
    const { page, complaints } = await openData("area=users&search=2");
    const send = async (name: string, edit: (body: string) => string, head?: string) => {
      await page.getByRole("button", { name }).first().click();
      const body = page.getByLabel("Body");
      await body.fill(edit(await body.inputValue()));
      if (head) await page.getByLabel("Request with headers").fill(head);
      await page.getByRole("button", { name: "Send", exact: true }).click();
    };
    await page.locator(".record").click();
    await send("Replace", (body) => body.replace(/"age": \d+/, '"age": 77'));
    await page.getByText(/^PUT \/users\/2: 200/).waitFor();
    expect(await page.locator(".record").textContent()).toContain('"age":77');
    await send("Create a user", (body) => body.replace(/"age": \d+/, '"age": -1'));
    await page.getByText(/^POST \/users: 400[\s\S]*age/).waitFor();
    await send("Create a user", () => "", "GET /admin/users\nauthorization: •••");
    await page.getByText(/^GET \/admin\/users: 200[\s\S]*"role": "admin"/).waitFor();
    await page.locator(".record").click();
    await send("Delete", (body) => body);
    await page.getByText(/^DELETE \/users\/2: 204/).waitFor();
    expect((await fetch(`${run.url}/users/2`)).status).toBe(404);
    expect(complaints).toEqual([]);
  });

  it("exports, resets, loads the demo and imports", async () => {
    const grace = { name: "Grace", email: "grace@example.com", age: 46 };
    const { id } = (await (await post("/users", grace)).json()) as { id: number };
    const { page } = await openData("area=users");
    const before = await page.locator("#pages").textContent();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export" }).click();
    const file = (await (await download).path()) ?? "";
    const replace = async (act: () => Promise<void>) => {
      await act();
      await page.getByText("All data was replaced.").waitFor();
      await page.evaluate(() => document.querySelector("#said")?.replaceChildren());
      return await page.locator("#pages").textContent();
    };
    expect(await replace(() => page.getByRole("button", { name: "Reset" }).click())).toBe("Nothing found");
    const demo = await replace(() => page.getByText("Load the demo").click());
    expect(demo).toMatch(/ 2\d in all/);
    for (const lines of ["hello", '{"format":1}\n{"table":"UsersTable","Item":{"pk":{"S":"0"}}}']) {
      const upload = { name: "data.jsonl", mimeType: "", buffer: Buffer.from(lines) };
      await page.setInputFiles("#all input", upload);
      await page.getByText(/Nothing was changed/).waitFor();
    }
    expect(await page.locator("#pages").textContent()).toBe(demo);
    expect(await replace(() => page.setInputFiles("#all input", file))).toBe(before);
    expect(await (await post("/users", grace)).json()).toMatchObject({ id: id + 1 });
  });

  it.each([desktop, phone])("can be used by everybody on $width pixels", async (size) => {
    const { page } = await openData("area=users", size);
    await page.locator(".record").first().click();
    await page.getByRole("button", { name: "Delete" }).first().waitFor();

    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await isWider(page)).toBe(false);
    await page.getByRole("button", { name: "Create a user" }).press("Enter");
    await page.getByLabel("Request with headers").waitFor();
    expect(await accessibilityProblems(page, "dialog")).toEqual([]);
  });
});

function post(path: string, body: object): Promise<Response> {
  return fetch(run.url + path, { method: "POST", body: JSON.stringify(body) });
}
