import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { routesByArea } from "../../../functions/definitions.ts";
import { callDynamodb } from "../../../local/database/dynamodb-call.ts";

export const storedItemsFolder = fileURLToPath(new URL("../../fixtures/stored/", import.meta.url));

/** The time of all frozen items. It is in the future, so that no engine deletes those with a time to live. */
export const FROZEN_AT = new Date("2100-01-01T12:00:00.000Z");

/** An item in DynamoDB's JSON: attribute → type and value. */
export type DynamodbItem = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type StoredItems = Readonly<Record<string, DynamodbItem>>;

export interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly asAdmin?: boolean;
  readonly body?: unknown;
}

/** The requests that a version answered while it stored the items. */
export interface Exchanges {
  readonly reads: readonly Exchange[];
  readonly creations: readonly Exchange[];
  /** A creation with an idempotency key that was interrupted after it deducted stock. */
  readonly interrupted: Exchange;
  readonly logins: readonly { readonly username: string; readonly password: string }[];
  readonly throttled: string;
}

const frozenAreas = ["accounts", "items", "orders", "posts", "products", "todos", "users"];

export const areas: readonly string[] = frozenAreas.filter((area) => area in routesByArea);

export function isRemoved(path: string): boolean {
  return frozenAreas.some((area) => !areas.includes(area) && new RegExp(`/${area}\\b`).test(path));
}

export function frozenVersions(): string[] {
  const files = readdirSync(storedItemsFolder, { withFileTypes: true });
  return files.filter((file) => file.isDirectory()).map(({ name }) => name);
}

export function readVersion(version: string) {
  const read = (name: string) =>
    JSON.parse(readFileSync(`${storedItemsFolder}${version}/${name}.json`, "utf8"));
  const items = Object.fromEntries(areas.map((area) => [area, read(area)])) as Record<string, StoredItems>;
  const exchanges: Exchanges = read("exchanges");
  const kept = (all: readonly Exchange[]) => all.filter(({ target }) => !isRemoved(target));
  const [reads, creations] = [kept(exchanges.reads), kept(exchanges.creations)];
  return { items, exchanges: { ...exchanges, reads, creations } };
}

export async function scanTable(endpoint: string, table: string): Promise<DynamodbItem[]> {
  const input = { TableName: table, ConsistentRead: true };
  return (await callDynamodb({ endpoint }, "Scan", input)).Items as DynamodbItem[];
}

export async function replaceItems(endpoint: string, table: string, items: StoredItems): Promise<void> {
  for (const { pk, sk } of await scanTable(endpoint, table))
    await callDynamodb({ endpoint }, "DeleteItem", { TableName: table, Key: { pk, sk } });
  for (const item of Object.values(items))
    await callDynamodb({ endpoint }, "PutItem", { TableName: table, Item: item });
}
