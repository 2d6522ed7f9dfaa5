import * as z from "zod/mini";
import type { ReadBudget } from "../../domain/read-budget.ts";
import { compareText } from "../../domain/text.ts";
import { decode, withoutDamaged } from "../../dynamodb/decode.ts";
import { mapConcurrently, projection, queryAll, queryPages } from "../../dynamodb/query.ts";
import { TableAccess } from "../../dynamodb/table-access.ts";
import { type CursorPage, MAX_LENGTH_READ, readPages } from "../../records/range-reader.ts";
import { AccountProfile, accountPartitions, PRIVILEGED, profileAttributes } from "./account-items.ts";

const StoredPrivilege = z.object({ sk: z.string(), role: z.string() });

/** Queries for many accounts. Every read is strongly consistent. */
export class AccountQueries extends TableAccess {
  /** Lists the accounts by username, limited to one response. One parallel query per partition. */
  async list(
    { after, limit }: { readonly after?: string | undefined; readonly limit?: number | undefined } = {},
    budget?: ReadBudget,
  ): Promise<CursorPage<AccountProfile, string>> {
    const part = budget?.forPart();
    const parts = await mapConcurrently(accountPartitions, (pk) => {
      const query = {
        ...this.#partition(pk, profileAttributes, after),
        FilterExpression: "attribute_not_exists(reserves)",
        isAdmitted: true as const,
      };
      return readPages(
        (Limit) => queryPages(this.client, { ...query, Limit }, part, (item) => decode(AccountProfile, item)),
        ({ username }) => username,
        { limit, maxLength: MAX_LENGTH_READ / accountPartitions.length },
      );
    });
    // Beyond the first of these ends, a partition may have more accounts.
    const ends = parts.flatMap(({ next }) => (next === undefined ? [] : [next])).sort(compareText);
    const complete = parts
      .flatMap(({ records }) => records)
      .filter(({ username }) => ends[0] === undefined || username <= ends[0])
      .sort((a, b) => compareText(a.username, b.username));
    const records = complete.slice(0, limit);
    return { records, next: records.length < complete.length ? records.at(-1)?.username : ends[0] };
  }

  /** The e-mails, in lower case, of the accounts with one of the roles, other than the default one. One call. */
  async emailsWithRole(...roles: readonly string[]): Promise<ReadonlySet<string>> {
    const items = await queryAll(this.client, this.#partition(PRIVILEGED, ["sk", "role"]));
    const privileges = withoutDamaged(items, (item) => decode(StoredPrivilege, item));
    return new Set(privileges.filter(({ role }) => roles.includes(role)).map(({ sk }) => sk));
  }

  #partition(pk: string, attributes: readonly string[], after?: string) {
    return {
      TableName: this.table,
      KeyConditionExpression: after === undefined ? "pk = :pk" : "pk = :pk AND sk > :after",
      ExpressionAttributeValues: { ":pk": pk, ...(after !== undefined && { ":after": after }) },
      ...projection(attributes),
    };
  }
}
