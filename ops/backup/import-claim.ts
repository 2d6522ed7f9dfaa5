import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { CommandError } from "../../cli/errors.ts";
import type { Tables } from "./export-tables.ts";

const LIFETIME_SECONDS = 30 * 24 * 3_600;

/** An item of the accounts that says which import may write to a stage. */
export interface ImportClaim {
  /** @throws {CommandError} if the import has ended in another process */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/**
 * @param id the same for all attempts at an import
 * @returns with `isNew` for the first attempt
 * @throws {CommandError} if another import has the stage
 */
export async function claimStage(
  { rawDynamodb, table }: Tables,
  id: string,
): Promise<{ claim: ImportClaim; isNew: boolean }> {
  const key = { TableName: table("accounts"), Key: { pk: { S: "import" }, sk: { S: "import" } } };
  const own = { ":import": { S: id } };
  const isOwn = { ConditionExpression: "claimedBy = :import", ExpressionAttributeValues: own };
  const expires = { N: String(Math.floor(Date.now() / 1_000) + LIFETIME_SECONDS) };
  const claimed = await send(
    () =>
      rawDynamodb.send(
        new UpdateItemCommand({
          ...key,
          UpdateExpression: "SET claimedBy = :import, expires_at = :expires",
          ConditionExpression: "attribute_not_exists(pk) OR claimedBy = :import",
          ExpressionAttributeValues: { ...own, ":expires": expires },
          ReturnValues: "ALL_OLD",
        }),
      ),
    "Another import has begun to write: continue that one, or empty the tables. Nothing was written.",
  );
  const ended = "Another process has ended this import. This one has stopped.";
  const renewal = { ...key, ...isOwn, UpdateExpression: "SET claimedBy = :import" };
  const claim = {
    renew: async () => void (await send(() => rawDynamodb.send(new UpdateItemCommand(renewal)), ended)),
    release: async () =>
      void (await send(() => rawDynamodb.send(new DeleteItemCommand({ ...key, ...isOwn })), ended)),
  };
  return { claim, isNew: claimed.Attributes?.claimedBy === undefined };
}

async function send<T>(call: () => Promise<T>, otherwise: string): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new CommandError(otherwise);
  }
}
