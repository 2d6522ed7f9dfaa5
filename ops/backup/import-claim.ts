import { randomUUID } from "node:crypto";
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { CommandError } from "../../cli/errors.ts";
import { tableNames, tables } from "../../functions/definitions.ts";
import type { Tables } from "./tables.ts";

/** The area whose table has the claim. */
export const CLAIMED = tableNames[0] ?? "";

const LIFETIME_SECONDS = 30 * 24 * 3_600;

/** An item that says which import may write to a stage, and in which process. */
export interface ImportClaim {
  /** @throws {CommandError} if another process continues the import */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** @param id the same for all attempts at an import @throws {CommandError} if another import has the stage */
export async function claimStage({ rawDynamodb, table }: Tables, id: string): Promise<ImportClaim> {
  const sk = tables[CLAIMED]?.hasIds ? { N: "0" } : { S: "import" };
  const key = { TableName: table(CLAIMED), Key: { pk: { S: "import" }, sk } };
  // Not counted among the items of the import.
  const expires = { N: String(Math.floor(Date.now() / 1_000) + LIFETIME_SECONDS) };
  const own = { ":import": { S: id }, ":process": { S: randomUUID() } };
  const claim = {
    ...key,
    UpdateExpression: "SET claimedBy = :import, claimedIn = :process, expires_at = :expires",
    ConditionExpression: "attribute_not_exists(pk) OR claimedBy = :import",
    ExpressionAttributeValues: { ...own, ":expires": expires },
  };
  await send(
    () => rawDynamodb.send(new UpdateItemCommand(claim)),
    "Another import has begun to write: continue that one, or empty the tables. Nothing was written.",
  );
  const isOwn = "claimedBy = :import AND claimedIn = :process";
  const taken = "Another process continues this import. This one has stopped.";
  const renewal = { ...claim, ConditionExpression: isOwn };
  const release = { ...key, ConditionExpression: isOwn, ExpressionAttributeValues: own };
  return {
    renew: () => send(() => rawDynamodb.send(new UpdateItemCommand(renewal)), taken),
    release: () => send(() => rawDynamodb.send(new DeleteItemCommand(release)), taken),
  };
}

async function send(call: () => Promise<unknown>, otherwise: string): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new CommandError(otherwise);
  }
}
