export interface RecordPage {
  readonly areas: readonly string[];
  readonly area: string;
  readonly items: readonly StoredRecord[];
  /** From 1 to `pages`. */
  readonly page: number;
  readonly pages: number;
  readonly total: number;
}

export interface StoredRecord {
  /** Undefined for what the service keeps besides records. */
  readonly id?: string;
  readonly item: Readonly<Record<string, unknown>>;
}
