import { setTimeout as wait } from "node:timers/promises";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { changeJob } from "../../lib/jobs/job.ts";
import { LINK_SECONDS, openStore } from "./store.ts";

/** Deletes the content of a file that was deleted, as soon as nobody can upload it any more. */
export const discard = changeJob(documentClient(), async ({ id, before, after }, signal) => {
  if (after !== undefined || before === undefined) return;
  const created_at = String(before.created_at);
  const validUntil = Date.parse(created_at) + LINK_SECONDS * 1_000;
  await wait(Math.max(0, validUntil - Date.now()), undefined, { signal });
  await openStore().remove({ id, created_at });
});
