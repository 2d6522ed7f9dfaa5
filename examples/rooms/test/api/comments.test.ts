import { expect, it } from "vitest";
import { api } from "../support/api/target.ts";

it("comments on rooms, and finds texts in comments", async () => {
  const [{ body: room }, { body: other }] = [
    await api.post("/rooms", { name: "Blue room", seats: 8 }),
    await api.post("/rooms", { name: "Red room", seats: 8 }),
  ];
  const list = `/rooms/${room.id}/comments`;
  const { body: lamp } = await api.post(list, { text: "The Lamp is dark" });
  const { body: chair } = await api.post(list, { text: "The chair is broken" });
  await api.post(`/rooms/${other.id}/comments`, { text: "A lamp as well" });

  await expect.poll(async () => (await api.get(list)).body).toEqual([lamp, chair]);
  expect((await api.get(`${list}?q=lamp`)).body).toEqual([lamp]);
  const path = `${list}/${lamp.id}`;
  expect((await api.get(path)).body).toEqual({ id: lamp.id, room_id: room.id, text: "The Lamp is dark" });
  const elsewhere = path.replace(`${room.id}`, `${other.id}`);
  for (const response of [await api.get(elsewhere), await api.delete(elsewhere)])
    expect(response).toMatchObject({ status: 404 });
  expect((await api.delete(path)).status).toBe(204);
  expect(await api.get(path)).toMatchObject({ status: 404 });
  for (const response of [
    await api.get("/rooms/0/comments"),
    await api.post("/rooms/0/comments", { text: "x" }),
  ])
    expect(response).toMatchObject({ status: 404 });
});
