type Item = Readonly<Record<string, unknown>>;

export interface StoredRecord {
  readonly id: string;
  readonly item: Item;
}

/**
 * Separates an area's records from what the service keeps besides, such as counters and idempotency keys. Partitions
 * of records are numbered (docs/adr/0003). A long text may have an item of its own, which becomes a part of the record.
 */
export function recordsOf(area: string, items: readonly Item[]) {
  const isRecord = ({ pk }: Item) => /^\d+$/.test(String(pk).replace(`${area}#`, ""));
  const isText = ({ pk, sk }: Item) => pk === `content#${sk}` || pk === `text#${sk}`;
  const texts = new Map(items.filter(isText).map((item) => [item.sk, item]));
  const records = items.filter(isRecord).map((item) => ({ ...texts.get(item.sk), ...item }));
  return {
    records: records.map((item): StoredRecord => ({ id: String(item.sk), item })),
    internal: items.filter((item) => !isRecord(item) && !isText(item)),
  };
}
