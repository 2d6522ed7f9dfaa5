import { expect, it } from "vitest";
import { followLinks } from "../support/api/links.ts";
import { api } from "../support/api/target.ts";
import { asAdmin, withAccount, withToken } from "../support/data/accounts.ts";

const room = async () => (await api.post("/rooms", { name: "Blue room", seats: 8 })).body.id;
const caller = async () => withToken((await withAccount()).token);
const book = async (room_id: number, as: Awaited<ReturnType<typeof caller>>, starts_at: string) =>
  (await api.post("/bookings", { room_id, starts_at }, as)).body;

it("shows bookings to their owner alone", async () => {
  const [room_id, ada, bob] = [await room(), await caller(), await caller()];
  const booking = await book(room_id, ada, "2026-05-04T09:30:00Z");

  expect(booking).toMatchObject({ room_id, status: "booked" });
  expect((await api.get("/bookings", ada)).body).toEqual([booking]);
  expect((await api.get("/bookings", bob)).body).toEqual([]);
  for (const method of ["GET", "DELETE"])
    expect(await api.request(method, `/bookings/${booking.id}`, undefined, bob)).toMatchObject({ status: 404 });
  expect(await api.get(`/bookings/${booking.id}`)).toMatchObject({ status: 401 });
});

it("lets staff check in, and book again for the owner of a booking", async () => {
  const [room_id, ada, staff] = [await room(), await caller(), await asAdmin()];
  const { id } = await book(room_id, ada, "2026-05-04T09:30:00Z");
  const checkIn = (as: typeof ada) => api.put(`/bookings/${id}`, { status: "checked_in" }, as);
  expect(await checkIn(ada)).toMatchObject({ status: 403, body: { detail: "Staff access required" } });
  expect((await checkIn(staff)).status).toBe(200);

  const repeat = await api.post(`/bookings/${id}/repeats`, { starts_at: "2026-05-11T09:30:00Z" }, staff);
  expect(repeat).toMatchObject({ status: 201, body: { room_id, starts_at: "2026-05-11T09:30:00Z" } });
  expect((await api.get(`/bookings/${repeat.body.id}`, ada)).body).toEqual(repeat.body);
});

it("books no room within an hour of somebody else's booking", async () => {
  const [room_id, ada, bob] = [await room(), await caller(), await caller()];
  await book(room_id, ada, "2026-05-04T09:30:00Z");
  const statusAt = async (time: string) =>
    (await api.post("/bookings", { room_id, starts_at: `2026-05-04T${time}Z` }, bob)).status;
  // The index that the rule reads is a moment behind.
  await expect.poll(async () => (await api.get(`/rooms/${room_id}/bookings`, ada)).body.length).toBe(1);
  expect([await statusAt("08:30:01"), await statusAt("10:29:59")]).toEqual([409, 409]);
  expect([await statusAt("08:30:00"), await statusAt("10:30:00")]).toEqual([201, 201]);
});

it("books a room once for a time, of several at the same time too, until that booking is deleted", async () => {
  const [room_id, ada, bob] = [await room(), await caller(), await caller()];
  const starts_at = "2026-05-04T09:30:00Z";
  const post = (as: typeof ada) => api.post("/bookings", { room_id, starts_at }, as);
  const responses = await Promise.all([ada, bob, ada, bob].map(post));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  const [first] = responses.filter(({ status }) => status === 201);
  const owner = first === responses[0] || first === responses[2] ? ada : bob;

  expect(await post(ada)).toMatchObject({ status: 409, body: { field: "starts_at" } });
  expect((await api.delete(`/bookings/${first?.body.id}`, owner)).status).toBe(204);
  await expect.poll(async () => (await post(bob)).body).toMatchObject({ room_id, starts_at });
});

it("lists bookings of a room by their time, in parts", async () => {
  const [room_id, ada, bob] = [await room(), await caller(), await caller()];
  const own: { id: number; starts_at: string }[] = [];
  const times = ["2026-05-06T09:30:00Z", "2026-05-04T09:30:00Z", "2026-05-05T09:30:00Z"];
  for (const time of times) {
    own.push(await book(room_id, ada, time));
    await book(room_id, bob, time.replace("09:30", "10:30"));
  }
  const list = `/rooms/${room_id}/bookings`;
  await expect.poll(async () => (await api.get(list, ada)).body.length).toBe(times.length);
  const { records, responses } = await followLinks<(typeof own)[0]>(
    (target) => api.get(target, ada),
    `${list}?limit=1`,
  );

  expect(responses).toBeGreaterThanOrEqual(times.length);
  expect(records.map(({ starts_at }) => starts_at)).toEqual(times.toSorted());
  expect(records.toSorted((a, b) => a.id - b.id)).toEqual(own);
  expect(await api.get("/rooms/0/bookings", ada)).toMatchObject({ status: 404 });
  expect(await api.get(`${list}?cursor=YWZ0ZXIgMQ`, ada)).toMatchObject({ status: 422 });
});

it("checks in and out of a room, which has one booking at a time", async () => {
  const [room_id, ada, staff] = [await room(), await caller(), await asAdmin()];
  const [first, second] = [
    await book(room_id, ada, "2026-05-04T09:30:00Z"),
    await book(room_id, ada, "2026-05-04T10:30:00Z"),
  ];
  const change = (id: number, status: string) => api.put(`/bookings/${id}`, { status }, staff);

  const statuses = (await Promise.all([first, second].map(({ id }) => change(id, "checked_in")))).map(
    ({ status }) => status,
  );
  expect(statuses.toSorted()).toEqual([200, 409]);
  const { occupied_by: id } = (await api.get(`/rooms/${room_id}`)).body;
  expect(id).toBe((statuses[0] === 200 ? first : second).id);
  expect(await api.delete(`/rooms/${room_id}`)).toMatchObject({
    status: 409,
    body: { field: "occupied_by" },
  });
  expect(await api.delete(`/bookings/${id}`, ada)).toMatchObject({ status: 409, body: { field: "status" } });

  expect((await change(id, "checked_out")).body.status).toBe("checked_out");
  expect((await api.get(`/rooms/${room_id}`)).body.occupied_by).toBeNull();
  expect((await api.delete(`/bookings/${id}`, ada)).status).toBe(204);
  expect((await api.delete(`/rooms/${room_id}`)).status).toBe(204);
  const other = first.id === id ? second.id : first.id;
  expect(await change(other, "checked_in")).toMatchObject({ status: 404 });
  expect(await api.post("/bookings", { room_id, starts_at: first.starts_at }, ada)).toMatchObject({
    status: 404,
  });
});

it.each([
  "tomorrow",
  "2026-05-04",
  "2026-05-04T09:30Z",
  "2026-05-04T09:30:00.5Z",
  "2026-05-04T09:30:00+02:00",
])("rejects the time %j", async (starts_at) => {
  expect(await api.post("/bookings", { room_id: 1, starts_at }, await caller())).toMatchObject({
    status: 422,
  });
});
