import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { CredentialStore } from "../../../local/aws/credentials.ts";
import { startAwsEndpoint } from "../../../local/aws/endpoint.ts";
import type { LogLine } from "../../../local/log.ts";

const store = new CredentialStore();
const lines: LogLine[] = [];
let handled = 0;
const service = {
  targetPrefix: "Test.",
  permissions: () => [],
  handle: async () => {
    handled += 1;
    return { statusCode: 200, headers: {}, body: "{}" };
  },
  close: () => undefined,
};
const endpoint = await startAwsEndpoint([service], store, (line) => lines.push(line));
afterAll(() => endpoint.close());

const { accessKeyId } = store.issue({ logicalId: "A", name: "a", roleName: "a", statements: [] });
const signed = {
  authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/test/aws4_request`,
  "x-amz-target": "Test.Call",
};

/** `fetch` would not send other values of `Host`. `<port>` in it is the endpoint's. */
async function send({ host, ...headers }: Record<string, string>, method = "POST") {
  const request = httpRequest(endpoint.url, { method, headers: { ...signed, ...headers } });
  if (host !== undefined) request.setHeader("host", host.replace("<port>", new URL(endpoint.url).port));
  request.end(method === "POST" ? "{}" : undefined);
  const [response] = await once(request, "response");
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

it("the endpoint handles requests of its own clients", async () => {
  expect((await send({})).status).toBe(200);
  expect(handled).toBe(1);
});

it.each([
  ["another origin", "POST", { origin: "https://evil.example" }],
  ["an opaque origin", "POST", { origin: "null" }],
  ["a preflight", "OPTIONS", { origin: "https://evil.example", "access-control-request-method": "POST" }],
  ["a foreign host", "POST", { host: "evil.example" }],
  ["a foreign host with the right port", "POST", { host: "evil.example:<port>" }],
])("the endpoint refuses a request with %s, even with valid credentials", async (_, method, headers) => {
  lines.length = 0;
  const before = handled;
  const response = await send(headers, method);
  expect(response.status).toBe(403);
  expect(response.headers).not.toHaveProperty("access-control-allow-origin");
  expect(response.body).toContain("Only the processes of the local run");
  expect(handled).toBe(before);
  expect(lines).toEqual([{ source: "aws", text: "Refused a request that comes from a web page" }]);
});
