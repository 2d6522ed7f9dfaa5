import { setTimeout as delay } from "node:timers/promises";
import { CommandError } from "../../cli/errors.ts";
import type { KeyElement, TableModel } from "../stack/model.ts";
import { callDynamodb, DynamodbError, type EngineAddress } from "./dynamodb-call.ts";

interface IndexDescription {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly IndexStatus?: string;
}

interface TableDescription {
  readonly StreamSpecification?: object;
  readonly KeySchema: readonly KeyElement[];
  readonly AttributeDefinitions: readonly { readonly AttributeName: string }[];
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[];
}

const pollIntervalMs = 100;

/**
 * Also adds indexes, which the engine fills, and removes others. @returns how many tables did not exist yet
 * @throws {CommandError} if a table or an index has other keys
 */
export async function createMissingTables(engine: EngineAddress, tables: readonly TableModel[]) {
  const created = await Promise.all(tables.map((table) => createIfMissing(engine, table)));
  return created.filter(Boolean).length;
}

async function createIfMissing(engine: EngineAddress, table: TableModel): Promise<boolean> {
  const { request, timeToLive: TimeToLiveSpecification } = table;
  const { TableName } = request;
  const existing = await describe(engine, TableName);
  if (existing !== undefined) {
    const { StreamSpecification } = request;
    if (StreamSpecification && !existing.StreamSpecification)
      await callDynamodb(engine, "UpdateTable", { TableName, StreamSpecification });
    await updateIndexes(engine, TableName, existing, request as unknown as TableDescription);
    return false;
  }
  await callDynamodb(engine, "CreateTable", request);
  await callDynamodb(engine, "UpdateTimeToLive", { TableName, TimeToLiveSpecification });
  return true;
}

/** One at a time, as DynamoDB demands. */
async function updateIndexes(
  engine: EngineAddress,
  TableName: string,
  { KeySchema, GlobalSecondaryIndexes: existing = [] }: TableDescription,
  declared: TableDescription,
): Promise<void> {
  const { GlobalSecondaryIndexes: wanted = [] } = declared;
  const sameName = (all: readonly IndexDescription[], { IndexName }: IndexDescription) =>
    all.find((other) => other.IndexName === IndexName);
  const hasOtherKeys = existing.some((index) => {
    const other = sameName(wanted, index);
    return other && keysOf(other) !== keysOf(index);
  });
  if (hasOtherKeys || keysOf({ KeySchema }) !== keysOf(declared))
    throw new CommandError(
      `The table ${TableName} or one of its indexes exists with other keys than the stack declares. Give the index ` +
        "another name, choose another DATA_DIR, or delete this one with npm run reset.",
    );
  const update = async (change: object) => {
    await callDynamodb(engine, "UpdateTable", { TableName, ...change });
    const isBusy = ({ IndexStatus }: IndexDescription) => IndexStatus !== "ACTIVE";
    while ((await describe(engine, TableName))?.GlobalSecondaryIndexes?.some(isBusy))
      await delay(pollIntervalMs);
  };
  for (const { IndexName } of existing.filter((index) => !sameName(wanted, index)))
    await update({ GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] });
  const indexes = existing.filter((index) => sameName(wanted, index));
  for (const Create of wanted.filter((index) => !sameName(existing, index))) {
    indexes.push(Create);
    const used = [declared, ...indexes].flatMap((each) => each.KeySchema);
    const AttributeDefinitions = declared.AttributeDefinitions.filter(({ AttributeName }) =>
      used.some((key) => key.AttributeName === AttributeName),
    );
    await update({ AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] });
  }
}

async function describe(engine: EngineAddress, TableName: string): Promise<TableDescription | undefined> {
  try {
    const { Table } = await callDynamodb(engine, "DescribeTable", { TableName });
    return Table as TableDescription;
  } catch (error) {
    if (error instanceof DynamodbError && error.code === "ResourceNotFoundException") return undefined;
    throw error;
  }
}

function keysOf({ KeySchema }: Pick<TableDescription, "KeySchema">): string {
  return JSON.stringify(KeySchema.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).sort());
}
