import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { foreignRequest } from "../../../local/api-gateway/foreign.ts";

const page = "https://a.example";
const [name, origin] = [/ or set HOST or ADDRESS\.$/, / add the origin to CORS_ORIGINS\.$/];

it.each([
  ["curl", { host: "127.0.0.1:8080" }, {}, undefined],
  ["HTTP/1.0", {}, {}, undefined],
  ["IPv6", { host: "[::1]:8080" }, {}, undefined],
  ["a name of loopback", { host: "api.localhost:8080" }, {}, undefined],
  ["a foreign name", { host: "evil.example:8080" }, {}, name],
  ["a name that begins like ours", { host: "localhost.evil.example" }, {}, name],
  ["no valid name", { host: "a b" }, {}, name],
  ["any name, if others may call", { host: "laptop.local" }, { host: "0.0.0.0" }, undefined],
  ["a proxy", { host: "a.example" }, { address: "https://a.example/api" }, undefined],
  ["another name than a proxy's", { host: "b.example" }, { address: page }, name],
  ["the own page", { host: "10.0.0.7:8080", origin: "http://10.0.0.7:8080" }, { host: "0.0.0.0" }, undefined],
  ["a page of localhost", { host: "127.0.0.1:8080", origin: "http://localhost:5173" }, {}, undefined],
  ["a foreign page", { host: "localhost:8080", origin: page }, {}, undefined],
  ["a sandboxed page", { host: "localhost:8080", origin: "null" }, { origins: page }, origin],
  ["a set page", { host: "localhost", origin: page }, { origins: page }, undefined],
  ["another page than those", { host: "localhost", origin: "https://b.example" }, { origins: page }, origin],
  ["any page, if set", { host: "localhost", origin: "null" }, { origins: "*" }, undefined],
])("%s may or may not use the local run", (_, headers, allowed, refusal) => {
  const request = { headers } as unknown as IncomingMessage;
  const reason = foreignRequest(request, { host: "127.0.0.1", origins: undefined, ...allowed });
  expect(reason ?? "").toMatch(refusal ?? /^$/);
});
