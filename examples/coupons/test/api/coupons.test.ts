import { expect, it } from "vitest";
import { api } from "../support/api/target.ts";

const may = { code: "MAY10", percent: 10 };

it("creates, lists, returns and deletes coupons", async () => {
  const { status, body, headers } = await api.post("/coupons", may);
  expect(status).toBe(201);
  expect(body).toEqual({ id: body.id, ...may });
  expect(headers.get("location")).toBe(`/coupons/${body.id}`);

  expect((await api.get("/coupons")).body).toContainEqual(body);
  expect((await api.get(`/coupons/${body.id}`)).body).toEqual(body);
  expect((await api.delete(`/coupons/${body.id}`)).status).toBe(204);
  expect(await api.get(`/coupons/${body.id}`)).toMatchObject({
    status: 404,
    body: { detail: `Coupon with id ${body.id} not found` },
  });
});

it.each([0, 101, 1.5, "10"])("rejects %j percent", async (percent) => {
  expect((await api.post("/coupons", { ...may, percent })).status).toBe(422);
});
