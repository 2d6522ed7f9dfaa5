import { expect, it } from "vitest";
import { api } from "../support/api/target.ts";

it.each([400, 401, 403, 404, 500])("GET /errors/%i returns it with a detail", async (status) => {
  const response = await api.get(`/errors/${status}`);
  expect([response.status, response.body]).toEqual([status, { detail: expect.stringMatching(/./) }]);
  expect(response.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
});

it("GET /errors/{status} returns 404 for any other status", async () => {
  const body = { detail: expect.stringMatching(/./) };
  for (const status of ["418", "200", "0400", "abc", "toString", "__proto__", "%F0%9F%A7%80"])
    expect(await api.get(`/errors/${status}`), status).toMatchObject({ status: 404, body });
});
