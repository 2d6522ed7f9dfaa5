import { execFileSync } from "node:child_process";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { languages, type SampleRequest } from "../../../infra/documentation/code-sample.ts";
import { buildRequest } from "../../../infra/documentation/request.ts";

const { curl, javascript, python } = languages;

const order: SampleRequest = {
  method: "POST",
  url: "http://localhost:8080/orders?note=it%27s",
  headers: { "content-type": "application/json", "idempotency-key": 'it\'s "mine"' },
  body: '[{ "name": "it\'s $HOME", "gift": true, "note": null }]',
  credentials: "bearer",
  returnsJson: true,
};
const parsedBody = [{ name: "it's $HOME", gift: true, note: null }];

/** Runs shell code with a curl that prints its arguments, one in a line. */
function curlArguments(code: string): string[] {
  const script = `curl() { printf '%s\\n' "$@"; }; TOKEN=secret; API_KEY=key; ${code}`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trimEnd().split("\n");
}

/** Runs JavaScript with a fetch that returns what it was called with. */
async function fetchArguments(code: string): Promise<{ url: string; init: RequestInit; printed: unknown[] }> {
  const called: { url: string; init: RequestInit }[] = [];
  const printed: unknown[] = [];
  await runInNewContext(`(async () => { ${code}\n })()`, {
    async fetch(url: string, init: RequestInit = {}) {
      called.push({ url, init });
      return Response.json("body", { status: 201 });
    },
    console: { log: (...values: unknown[]) => printed.push(...values) },
    process: { env: { TOKEN: "secret", API_KEY: "key" } },
  });
  expect(called).toHaveLength(1);
  return { url: "", init: {}, ...called[0], printed };
}

it("code in curl sends the request, whatever characters are in it, and names a method that curl does not choose", () => {
  expect(curlArguments(curl.codeOf(order))).toEqual([
    order.url,
    ...["-H", "authorization: Bearer secret"],
    ...["-H", "content-type: application/json"],
    ...["-H", 'idempotency-key: it\'s "mine"'],
    ...["-d", JSON.stringify(parsedBody)],
  ]);
  const { body: _, ...withoutBody } = order;
  expect(curl.codeOf({ ...withoutBody, method: "GET" })).not.toContain("-X");
  expect(curlArguments(curl.codeOf(withoutBody)).slice(0, 2)).toEqual(["-X", "POST"]);
  expect(curlArguments(curl.codeOf({ ...order, method: "PUT" })).slice(0, 2)).toEqual(["-X", "PUT"]);
});

it("code in JavaScript sends the request and prints the response", async () => {
  const { url, init, printed } = await fetchArguments(javascript.codeOf(order));
  const headers = { authorization: "Bearer secret", ...order.headers };
  expect([url, init]).toMatchObject([order.url, { method: "POST", headers }]);
  expect(JSON.parse(String(init.body))).toEqual(parsedBody);
  expect(printed).toEqual([201, "body"]);
});

it("code in Python has Python's literals", () => {
  const code = python.codeOf(order);
  expect(code).toContain("requests.post(");
  expect(code).toContain('json=[{"name": "it\'s $HOME", "gift": True, "note": None}],');
  expect(code).toContain(
    'headers={"authorization": f"Bearer {os.environ[\'TOKEN\']}", "idempotency-key": "it\'s \\"mine\\""},',
  );
});

it("code sends a body that is not JSON as it is", async () => {
  const broken = { ...order, body: "[{" };
  expect((await fetchArguments(javascript.codeOf(broken))).init.body).toBe("[{");
  expect(python.codeOf(broken)).toContain('data="[{"');
});

it("a request of a form has the values encoded in their places, and no empty ones", () => {
  const baseUrl = "https://api.example.com";
  const target = { method: "GET", baseUrl, path: "/users/{id}/posts/{post_id}", returnsJson: true };
  const parameters = [
    { name: "id", in: "path", type: "integer", value: "a/b" },
    { name: "post_id", in: "path", type: "integer", value: "" },
    { name: "q", in: "query", type: "string", value: "a&b" },
    { name: "limit", in: "query", type: "integer", value: "" },
    { name: "if-none-match", in: "header", type: "string", value: '"1"' },
  ];
  expect(buildRequest(target, parameters, " ")).toEqual({
    ...target,
    url: `${baseUrl}/users/a%2Fb/posts/{post_id}?q=a%26b`,
    headers: { "if-none-match": '"1"' },
    params: { path: { id: "a/b" }, query: { q: "a&b" }, header: { "if-none-match": '"1"' } },
  });
});
