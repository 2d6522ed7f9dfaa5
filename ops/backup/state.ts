import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { CommandError } from "../../cli/errors.ts";
import { writeFileAtomic } from "../../cli/write-file-atomic.ts";
import { tableNames } from "../../functions/definitions.ts";
import { DATA_FORMAT } from "../../lib/construct-ids.ts";

const TableState = z.object({
  items: z.int(),
  /** Of the exported items, those that DynamoDB does not expire. */
  permanent: z.int().default(0),
  /** The part of the area's file that is written, or imported. */
  bytes: z.int(),
  /** The key of the last exported item; absent before the first and after the last page. */
  after: z.record(z.string(), z.unknown()).optional(),
  isComplete: z.boolean(),
  /** Of the area's complete file. */
  sha256: z.string().optional(),
});

const State = z.object({
  /** Of the records. */
  format: z.int().default(0),
  database: z.string(),
  /** The same for all attempts. */
  id: z.string().default(""),
  startedAt: z.string(),
  tables: z.partialRecord(z.enum(tableNames), TableState),
});

export type State = z.output<typeof State>;
export type TableState = z.output<typeof TableState>;

export const newTable: TableState = { items: 0, permanent: 0, bytes: 0, isComplete: false };

/** @returns undefined if there is none. @throws {CommandError} if it is damaged, or of another format */
export function readState(file: string): State | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  let state: State;
  try {
    state = State.parse(JSON.parse(text));
  } catch (error) {
    throw new CommandError(`${file} is damaged: use another directory.`, { cause: error });
  }
  if (state.format !== DATA_FORMAT)
    throw new CommandError(
      `The records of ${file} are in format ${state.format}, and this version reads ${DATA_FORMAT}: use the version that exported them.`,
    );
  return state;
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** How far an export or import is, and a function that stores it. */
export function openState(file: string, database: string) {
  const startedAt = new Date().toISOString();
  const state = readState(file) ?? { format: DATA_FORMAT, database, id: randomUUID(), startedAt, tables: {} };
  const save = (area?: string, table?: TableState) => {
    if (area && table) state.tables[area] = table;
    writeFileAtomic(file, `${JSON.stringify(state, null, 2)}\n`, 0o600);
  };
  return { state, save };
}
