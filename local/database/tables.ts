import { CommandError } from "../../cli/errors.ts";
import type { KeyElement, TableModel } from "../stack/model.ts";
import { callDynamodb, DynamodbError, type EngineAddress } from "./dynamodb-call.ts";

interface TableDescription {
  readonly StreamSpecification?: object;
  readonly KeySchema: readonly KeyElement[];
  readonly GlobalSecondaryIndexes?: readonly {
    readonly IndexName: string;
    readonly KeySchema: readonly KeyElement[];
  }[];
}

/** @returns how many did not exist yet. @throws {CommandError} if one has other keys or indexes */
export async function createMissingTables(
  engine: EngineAddress,
  tables: readonly TableModel[],
): Promise<number> {
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
    if (keysOf(existing) === keysOf(request as unknown as TableDescription)) return false;
    throw new CommandError(
      `The table ${TableName} exists with other keys or indexes than the stack declares. ` +
        "Choose another DATA_DIR, or delete this one with npm run reset.",
    );
  }
  await callDynamodb(engine, "CreateTable", request);
  await callDynamodb(engine, "UpdateTimeToLive", { TableName, TimeToLiveSpecification });
  return true;
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

function keysOf(table: TableDescription): string {
  const { KeySchema, GlobalSecondaryIndexes: indexes = [] } = table;
  const keys = (schema: readonly KeyElement[]) =>
    schema.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).sort();
  return JSON.stringify([
    keys(KeySchema),
    indexes.map(({ IndexName, KeySchema }) => [IndexName, keys(KeySchema)]).sort(),
  ]);
}
