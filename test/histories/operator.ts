import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { CommandError } from "../../cli/errors.ts";
import { tablesWithIds } from "../../functions/definitions.ts";
import { type RepairResult, repair } from "../../functions/repair/repair.ts";
import { ApiError } from "../../lib/domain/errors.ts";
import { giveRecord } from "../../lib/records/owners.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { eraseAll } from "../../ops/personal-records.ts";
import type { Outcome } from "./history.ts";

/** Gives records away, erases persons and repairs, as the commands and the daily repair do. */
export class Operator {
  readonly #client: DynamoDBDocumentClient;
  readonly #findTable: (area: string) => string | undefined;
  readonly repairs: RepairResult[] = [];

  constructor(client: DynamoDBDocumentClient, findTable: (area: string) => string | undefined) {
    this.#client = client;
    this.#findTable = findTable;
  }

  async give(area: string, id: number, username: string): Promise<Outcome> {
    const given = await unlessUnavailable(giveRecord(this.#client, this.#table(area), id, username));
    return given === undefined ? "unknown" : given ? "done" : "refused";
  }

  /** @param found gets the ids of the records that are erased, by area */
  async erase(username: string, email: string, found: Map<string, ReadonlySet<number>>): Promise<Outcome> {
    const stage = {
      dynamodb: this.#client,
      table: (area: string) => this.#table(area),
      clientConfig: {},
      resource: () => undefined,
    };
    const accounts = new AccountsRepository(this.#client, this.#table("accounts"));
    const erase = async () => {
      await eraseAll(accounts, username, email, {
        stage,
        progress: () => undefined,
        wait: async () => {},
        onFound: (records) => {
          for (const [area, ids] of records) found.set(area, new Set([...(found.get(area) ?? []), ...ids]));
        },
      });
      return true;
    };
    return (await unlessUnavailable(erase())) ? "done" : "unknown";
  }

  /** @param wait until no creation is in progress @param abandonedAfterMs by default even orders in progress count */
  async repair(wait: () => Promise<unknown>, abandonedAfterMs = Number.NEGATIVE_INFINITY): Promise<void> {
    const options = { wait, abandonedAfterMs };
    const result = await unlessUnavailable(repair(this.#client, tablesWithIds, this.#findTable, options));
    if (result) this.repairs.push(result);
  }

  #table(area: string): string {
    return this.#findTable(area) ?? "";
  }
}

/** @returns undefined if it may have been done in part */
async function unlessUnavailable<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    const isExpected =
      error instanceof ApiError ? error.code === "ServiceUnavailable" : error instanceof CommandError;
    if (isExpected) return undefined;
    throw error;
  });
}
