import { expect, it } from "vitest";
import { locationOf } from "../support/api/links.ts";
import { api } from "../support/api/target.ts";

const blue = { name: "Blue room", seats: 8 };

it("creates, lists, returns, replaces and deletes rooms", async () => {
  const response = await api.post("/rooms", blue);
  const { status, body } = response;
  expect(status).toBe(201);
  expect(body).toEqual({ id: body.id, ...blue, occupied_by: null });
  const path = `/rooms/${body.id}`;
  expect(locationOf(response)).toBe(path);

  expect((await api.get("/rooms")).body).toContainEqual(body);
  expect((await api.put(path, { ...blue, seats: 9 })).body).toEqual({ ...body, seats: 9 });
  expect((await api.get(path)).body).toEqual({ ...body, seats: 9 });
  expect((await api.delete(path)).status).toBe(204);
  const gone = { status: 404, body: { detail: `Room with id ${body.id} not found` } };
  for (const response of [await api.get(path), await api.put(path, blue), await api.delete(path)])
    expect(response).toMatchObject(gone);
});

it.each([0, 1_001, 1.5, "10"])("rejects %j seats", async (seats) => {
  expect((await api.post("/rooms", { ...blue, seats })).status).toBe(422);
});
