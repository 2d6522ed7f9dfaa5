import * as z from "zod/mini";
import { secret } from "../../lib/auth/secrets.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import type { StoredItem } from "../../lib/dynamodb/query.ts";
import { changeJob, messageJob, scheduledJob } from "../../lib/jobs/job.ts";
import { sendMail } from "../../lib/jobs/mail.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { BookingsRepository } from "../../lib/repositories/bookings.ts";
import { setting, tableName } from "../../lib/settings.ts";
import { callWebhook } from "./webhook.ts";

const client = documentClient();
const allBookings = () => new BookingsRepository(client, tableName("bookings"));

/** Mails the owner of a booking, unless that or the account was deleted meanwhile. */
export const remind = messageJob(client, z.object({ booking: z.int() }), async ({ booking: id }, signal) => {
  const bookings = allBookings();
  const item = await bookings.read(id);
  const account =
    item && (await new AccountsRepository(client, tableName("accounts")).getProfile(String(item.owner)));
  if (item === undefined || account === undefined || account === "deleted") return;
  const { room_id, starts_at } = bookings.decode(item);
  const text = `You have booked room ${room_id} for ${starts_at}.`;
  const mail = { id: `booking-${id}`, to: account.email, subject: "Your booking", text };
  await sendMail(setting("BOOKING_MAILS"), mail, signal);
});

/** Tells others of each change, with which room and when. Its id and revision are the same if it is repeated. */
export const announce = changeJob(client, async ({ id, before, after }, signal) => {
  const url = setting("BOOKING_WEBHOOK");
  const { room_id, starts_at, status }: StoredItem = after ?? { ...before, status: "deleted" };
  const revision = after ? (after.revision ?? "first") : "last";
  const body = JSON.stringify({ id, revision, room_id, starts_at, status });
  if (url !== "none") await callWebhook(url, body, await secret("API_KEYS")(), signal);
});

const DAYS_KEPT = 30;

/** Deletes bookings of which the day was 30 days ago. */
export const purge = scheduledJob(async (signal) => {
  const bookings = allBookings();
  const first = new Date(Date.now() - DAYS_KEPT * 24 * 60 * 60 * 1_000).toISOString();
  const old: number[] = [];
  await bookings.forEach(["starts_at", "status"], ({ id, starts_at, status }) => {
    if (starts_at < first && status !== "checked_in") old.push(id);
  });
  for (const id of old) {
    signal.throwIfAborted();
    await bookings.removeUnused(id);
  }
});
