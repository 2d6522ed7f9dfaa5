import { describe, expect, it } from "vitest";
import { api } from "../support/api/target.ts";

describe("GET /errors/{status}", () => {
  it.each([400, 401, 403, 404, 500])("returns %i with a detail", async (status) => {
    const response = await api.get(`/errors/${status}`);
    expect([response.status, response.body]).toEqual([status, { detail: expect.stringMatching(/./) }]);
    expect(response.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
  });

  it.each(["418", "200", "0400", "abc", "toString", "__proto__", "%F0%9F%A7%80"])(
    "returns 404 for %s",
    async (status) => {
      const body = { detail: expect.stringMatching(/./) };
      expect(await api.get(`/errors/${status}`)).toMatchObject({ status: 404, body });
    },
  );
});
