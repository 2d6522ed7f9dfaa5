import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { fromRawItem } from "../../lib/dynamodb/attribute-values.ts";
import { itemSize } from "../../test/support/database/item-size.ts";

/** The capacity units that some work uses of one partition key. */
export interface KeyUnits {
  readonly read: number;
  readonly write: number;
}

/** Table and partition key (`Todos-1/ids`), or table and index (`Todos-1/index/by-status`) → the units used. */
export type UnitsByKey = ReadonlyMap<string, KeyUnits>;

type Item = Record<string, AttributeValue>;

/** What the parts of a call's input have in common. */
interface Input {
  readonly TableName?: string;
  readonly Item?: Item;
  readonly Key?: Item;
  readonly IndexName?: string;
  readonly ExpressionAttributeValues?: Item;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Item[] }>>;
  readonly TransactItems?: readonly Readonly<Record<string, Input>>[];
}

interface Capacity {
  readonly TableName: string;
  readonly Table?: { readonly CapacityUnits: number };
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits: number }>>;
}

/**
 * Divides the units of a call among the partition keys that it names. What a transaction writes is known for new items;
 * of the others each has two units, and a content of a post or a text of an item the rest. Batches and reading
 * transactions are divided evenly. An index counts as one key.
 *
 * @param output with `ReturnConsumedCapacity: "INDEXES"`
 */
export function unitsByKey(
  operation: string,
  input: Input,
  output: { ConsumedCapacity?: unknown },
): UnitsByKey {
  const capacities = [output.ConsumedCapacity ?? []].flat() as Capacity[];
  const isWrite = /(Put|Update|Delete|Write)(Item|Items)$/.test(operation);
  const units = new Map<string, KeyUnits>();
  const add = (key: string, amount: number) => {
    const { read, write } = units.get(key) ?? { read: 0, write: 0 };
    units.set(key, isWrite ? { read, write: write + amount } : { read: read + amount, write });
  };
  for (const { TableName: table, Table, GlobalSecondaryIndexes = {} } of capacities) {
    const total = Table?.CapacityUnits ?? 0;
    const keys = keysOf(input, table);
    const shares = operation.endsWith("TransactWriteItems")
      ? transactionShares(keys, total)
      : keys.map(() => total / keys.length);
    for (const [i, { pk }] of keys.entries()) add(`${table}/${pk}`, shares[i] ?? 0);
    for (const [index, { CapacityUnits: amount }] of Object.entries(GlobalSecondaryIndexes))
      if (amount > 0) add(`${table}/index/${index}`, amount);
  }
  return units;
}

/** The units of each key of a writing transaction. */
function transactionShares(keys: ReturnType<typeof keysOf>, total: number): number[] {
  const known = keys.map(({ item }) => (item ? 2 * Math.ceil(itemSize(fromRawItem(item)) / 1_024) : 2));
  const rest = total - known.reduce((sum, each) => sum + each, 0);
  const long = keys.findIndex(({ pk, item }) => /^(content|text)#/.test(pk) && item === undefined);
  return known.map((units, i) => units + (i === Math.max(0, long) ? rest : 0));
}

/** The partition keys of a call in one table, and the items that it puts. */
function keysOf(input: Input, table: string): { pk: string; item?: Item | undefined }[] {
  const keyOf = ({ Item, Key, ExpressionAttributeValues: values }: Input) => ({
    pk: String((Item ?? Key)?.pk?.S ?? values?.[":pk"]?.S),
    item: Item,
  });
  if (input.RequestItems)
    return (input.RequestItems[table]?.Keys ?? []).map(({ pk }) => ({ pk: String(pk?.S) }));
  if (input.TransactItems)
    return input.TransactItems.flatMap((item) => Object.values(item))
      .filter(({ TableName }) => TableName === table)
      .map(keyOf);
  return input.IndexName ? [] : [keyOf(input)];
}
