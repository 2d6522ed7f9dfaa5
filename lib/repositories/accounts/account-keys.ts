import { createHash } from "node:crypto";

/** Accounts are spread over this many partitions, so that a full list is queries instead of a scan. */
const PARTITIONS = 16;

/** The partitions that hold accounts, and nothing else. */
export const accountPartitions = Array.from({ length: PARTITIONS }, (_, partition) =>
  partitionKey(partition),
);

/** The partition with an entry for each account whose role is not the default one. */
export const PRIVILEGED = "privileged";

/** Where the account with a username stands. */
export function accountKey(username: string) {
  const [first = 0] = createHash("sha256").update(username).digest();
  return { pk: partitionKey(first % PARTITIONS), sk: username };
}

/** Where it is kept who holds an e-mail; its case makes no difference. */
export function emailKey(email: string) {
  return { pk: `email#${email.toLowerCase()}`, sk: "email" };
}

/** Where it is kept which role the holder of an e-mail was given. */
export function privilegeKey(email: string) {
  return { pk: PRIVILEGED, sk: email.toLowerCase() };
}

function partitionKey(partition: number): string {
  return `accounts#${partition}`;
}
