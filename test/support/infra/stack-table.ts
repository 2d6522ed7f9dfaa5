import { tables } from "../../../functions/definitions.ts";
import { recordTable } from "../database/database.ts";

/** Creates an empty table with the keys and indexes that the stack gives the table of an area. @returns its name */
export function stackTable(endpoint: string, area: string): Promise<string> {
  const { hasIds = true, indexes } = tables[area] ?? {};
  return recordTable(endpoint, hasIds ? "N" : "S", indexes);
}
