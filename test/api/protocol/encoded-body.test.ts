import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { api } from "../../support/api/target.ts";

it.each([
  ["/todos", "error"],
  ["/users", "error"],
  ["/users/", "detail"],
  ["/auth/login", "detail"],
  ["/posts", "detail"],
])("a compressed body of POST %s is 415, with the reason in the area's format", async (path, member) => {
  const headers = { "content-encoding": "gzip", "content-type": "application/json" };
  const response = await api.send("POST", path, gzipSync("{}"), { headers });
  const body = { [member]: "Send the body without Content-Encoding" };
  expect(response).toMatchObject({ status: 415, body });
  expect(response.headers.get("accept-encoding")).toBe("identity");
});

it("a compressed body is any with another coding than identity", async () => {
  const send = (coding: string) =>
    api.send("POST", "/todos", '{"title":"x"}', { headers: { "content-encoding": coding } });
  const statuses = await Promise.all(["", "identity", " Identity ", "br", "gzip, identity"].map(send));
  expect(statuses.map(({ status }) => status)).toEqual([201, 201, 201, 415, 415]);
});
