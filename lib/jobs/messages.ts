import { randomInt } from "node:crypto";
import { itemIsAbsent } from "../dynamodb/expressions.ts";
import type { TransactionItem } from "../dynamodb/writes.ts";

/** As long as a queue keeps what failed. */
const LIFETIME_SECONDS = 14 * 24 * 60 * 60;

/** Of the messages of a job, and of the changes with which it failed. */
export function messagePartition(job: string): string {
  return `message#${job}`;
}

export function expiry() {
  return { expires_at: Math.floor(Date.now() / 1_000) + LIFETIME_SECONDS };
}

/**
 * Writes a message for a job of the area, in the transaction of the record that it is about. It expires in 14 days.
 * @param body what the job needs to find the record; no personal data, which nobody would erase here
 * @param sk unique; a text for tables without ids
 * @example bookings.create(fields, key, { others: (id) => ({ mail: enqueue(table, "remind", { booking: id }) }) });
 */
export function enqueue(
  TableName: string,
  job: string,
  body: object,
  sk: number | string = randomInt(2 ** 48 - 1),
) {
  const Item = { pk: messagePartition(job), sk, body, ...expiry() };
  return { Put: { TableName, Item, ...itemIsAbsent } } satisfies TransactionItem;
}
