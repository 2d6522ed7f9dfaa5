/** What an area stores. */
interface Table {
  /** Whether its records have ids from a counter (docs/adr/0003). */
  readonly hasIds: boolean;
  readonly indexes: readonly string[];
}

/**
 * The tables and their indexes: the one list that everything else is derived from or checked against.
 *
 * A new table does not compile without its indexes in infra/tables.ts and an example record in test/costs/fill-tables.ts.
 * test/lib/areas.test.ts fails until infra/functions.ts grants it to a function.
 */
export const tables = {
  accounts: { hasIds: false, indexes: [] },
  items: { hasIds: true, indexes: [] },
  orders: { hasIds: true, indexes: ["by-status", "by-user"] },
  posts: { hasIds: true, indexes: ["by-author"] },
  products: { hasIds: true, indexes: [] },
  todos: { hasIds: true, indexes: [] },
  users: { hasIds: true, indexes: [] },
} as const satisfies Readonly<Record<string, Table>>;

export type TableName = keyof typeof tables;
export type TableWithIds = {
  [T in TableName]: (typeof tables)[T]["hasIds"] extends true ? T : never;
}[TableName];

/** An index of a table; of any table by default. */
export type IndexName<T extends TableName = TableName> = (typeof tables)[T]["indexes"][number];
/** An index the way its ARN ends, such as `orders/index/by-user`. */
export type IndexPath = { [T in TableName]: `${T}/index/${IndexName<T>}` }[TableName];

export const tableNames = Object.keys(tables) as TableName[];
export const tablesWithIds = tableNames.filter((name): name is TableWithIds => tables[name].hasIds);

/** The secrets, by the names that the code uses, and their construct ids, which operators see. */
export const secretConstructIds = {
  API_KEYS: "ApiKeys",
  SIGNING_SECRETS: "SigningSecrets",
} as const;

/** A shorter signing secret can be guessed from a token (RFC 7518, 3.2: as many bits as the hash of HS256). */
export const MIN_SIGNING_SECRET_BYTES = 32;

export type SecretName = keyof typeof secretConstructIds;
export type SecretConstructId = (typeof secretConstructIds)[SecretName];

/** A table's construct id, such as `TodosTable`: CloudFormation's logical id is this and eight hexadecimal digits. */
export function tableConstructId(name: TableName): string {
  return `${pascalCase(name)}Table`;
}

/** The output of a stack that names another table than its own, which the stage uses instead (docs/adr/0023). */
export function inUseOutput(constructId: string): string {
  return `${constructId}InUse`;
}

/** Turns `api-key` into `ApiKey`: construct ids have no dashes. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
}
