import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { StoredAccount } from "../../validators/account.ts";
import { mapConcurrently } from "../dynamodb/concurrency.ts";
import { mapPages, queryAll, queryPages } from "../dynamodb/query.ts";
import { type CursorPage, readPages } from "../records/range-reader.ts";
import { accountPartitions, PRIVILEGED } from "./account-keys.ts";

const Privilege = z.object({ sk: z.string(), role: z.string() });

/** Many accounts at once. Every read is strongly consistent. */
export class AccountQueries {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  /**
   * @param client from `documentClient`
   * @param table the accounts' table
   */
  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * The accounts, ordered by username (by code unit: capitals first), and no more than one answer of the API can
   * hold. A query for each partition, all at once, and one more for each megabyte that is read of a partition;
   * at least one read unit for each partition.
   *
   * @param place only accounts behind the username `after`, and at most `limit` of them
   * @throws ApiError `ServiceUnavailable`
   */
  async list({
    after,
    limit,
  }: {
    readonly after?: string | undefined;
    readonly limit?: number | undefined;
  } = {}): Promise<CursorPage<StoredAccount>> {
    const parts = await mapConcurrently(accountPartitions, (pk) => {
      const pages = queryPages(this.#client, {
        TableName: this.#table,
        KeyConditionExpression: after === undefined ? "pk = :pk" : "pk = :pk AND sk > :after",
        ExpressionAttributeValues: { ":pk": pk, ...(after !== undefined && { ":after": after }) },
        ...(limit !== undefined && { Limit: limit + 1 }),
      });
      return readPages(
        mapPages(pages, (item) => StoredAccount.parse(item)),
        { limit },
      );
    });
    // Behind the end of a partition that was left there may be accounts that were not read.
    const ends = parts.filter(({ hasMore }) => hasMore).map(({ records }) => records.at(-1)?.username ?? "");
    const isRead = ({ username }: StoredAccount) => ends.every((end) => username <= end);
    const all = parts
      .flatMap(({ records }) => records)
      .filter(isRead)
      .sort((a, b) => (a.username < b.username ? -1 : 1));
    const records = all.slice(0, limit);
    return { records, hasMore: ends.length > 0 || records.length < all.length };
  }

  /**
   * The roles that were given to somebody. One call; it reads nothing of accounts that have the default role.
   *
   * @returns the role by e-mail in lower case; who is not in it has the default role, or no account
   */
  async privileges(): Promise<ReadonlyMap<string, string>> {
    const items = await queryAll(this.#client, {
      TableName: this.#table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": PRIVILEGED },
    });
    return new Map(
      z
        .array(Privilege)
        .parse(items)
        .map(({ sk, role }) => [sk, role]),
    );
  }

  /**
   * The e-mails of the accounts that have a role which was given to them. One call.
   *
   * @param role any but the default one
   * @returns the e-mails in lower case
   */
  async emailsWithRole(role: string): Promise<ReadonlySet<string>> {
    const privileges = await this.privileges();
    return new Set([...privileges].filter(([, other]) => other === role).map(([email]) => email));
  }
}
