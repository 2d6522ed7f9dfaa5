import { expect, it } from "vitest";
import { api } from "../support/api/target.ts";
import { asAdmin, withAccount, withToken } from "../support/data/accounts.ts";

it("comments on rooms, and finds texts in comments", async () => {
  const admin = await asAdmin();
  const [{ body: room }, { body: other }] = [
    await api.post("/rooms", { name: "Blue room", seats: 8 }),
    await api.post("/rooms", { name: "Red room", seats: 8 }),
  ];
  const list = `/rooms/${room.id}/comments`;
  const { body: lamp } = await api.post(list, { text: "The Lamp is dark" }, admin);
  const { body: chair } = await api.post(list, { text: "The chair is broken" }, admin);
  await api.post(`/rooms/${other.id}/comments`, { text: "A lamp as well" }, admin);

  await expect.poll(async () => (await api.get(list, admin)).body).toEqual([lamp, chair]);
  expect((await api.get(`${list}?q=lamp`, admin)).body).toEqual([lamp]);
  const path = `${list}/${lamp.id}`;
  expect((await api.get(path, admin)).body).toEqual({ id: lamp.id, room_id: room.id, text: "The Lamp is dark" });
  const elsewhere = path.replace(`${room.id}`, `${other.id}`);
  for (const response of [await api.get(elsewhere, admin), await api.delete(elsewhere, admin)])
    expect(response).toMatchObject({ status: 404 });
  expect((await api.delete(path, admin)).status).toBe(204);
  expect(await api.get(path, admin)).toMatchObject({ status: 404 });
  for (const response of [
    await api.get("/rooms/0/comments", admin),
    await api.post("/rooms/0/comments", { text: "x" }, admin),
  ])
    expect(response).toMatchObject({ status: 404 });
  const { headers } = withToken((await withAccount()).token);
  expect(await api.get(list, { headers })).toMatchObject({ status: 403 });
});
