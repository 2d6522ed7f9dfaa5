/** Measures what reading costs the function's CPU, without a database. Sends `Decoding` to the parent. */
import { documentClient } from "../../lib/dynamodb/client.ts";
import { PostQueries } from "../../lib/repositories/posts/post-queries.ts";
import { PostReader } from "../../lib/repositories/posts/post-reader.ts";
import { median } from "../median.ts";
import { clientOf, microsPerRecord, RESPONSE_RECORDS, responseOf, sdkQuery, summaryOf } from "./responses.ts";

/** Microseconds of CPU per record. */
interface Costs {
  /** `JSON.parse` of the response. */
  readonly parse: number;
  /** The SDK: a query of `@aws-sdk/lib-dynamodb`. */
  readonly sdk: number;
  /** Ours: the same query as the repositories make it, checked by the stored schema. */
  readonly repository: number;
}

export interface Decoding {
  /** A summary of a post: eleven attributes. */
  readonly whole: Costs;
  /** The two attributes that decide a sort order. */
  readonly projected: Costs;
  /** A page of a million posts sorted by views. */
  readonly sorted: { readonly cpuSeconds: number; readonly peakMb: number };
}

const ROUNDS = 9;

const whole = responseOf((id) => ({
  ...summaryOf(id),
  version: { S: "00000000-0000-4000-8000-000000000000" },
  viewId: { S: "00000000-0000-4000-8000-000000000000" },
}));
const projected = responseOf((id) => {
  const { sk, view_count } = summaryOf(id);
  return { sk, view_count };
});

async function costsOf(response: Buffer, read: (reader: PostReader) => Promise<unknown>): Promise<Costs> {
  const reader = new PostReader(documentClient({ config: clientOf(response) }), "posts");
  const decoders = {
    parse: async () => void JSON.parse(response.toString()),
    sdk: sdkQuery(response),
    repository: () => read(reader),
  };
  const rounds: Record<keyof typeof decoders, number[]> = { parse: [], sdk: [], repository: [] };
  // Round by round, so that other load on the machine affects all alike.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of ["parse", "sdk", "repository"] as const) {
      const micros = await microsPerRecord(decoders[name]);
      // The first rounds compile the code.
      if (round >= 2) rounds[name].push(micros);
    }
  return { parse: median(rounds.parse), sdk: median(rounds.sdk), repository: median(rounds.repository) };
}

const range = { block: 0, from: 1, to: RESPONSE_RECORDS };
const decoding: Decoding = {
  whole: await costsOf(whole, async (reader) => {
    for await (const _ of reader.summaries.pagesIn(range, {}));
  }),
  projected: await costsOf(projected, async (reader) => {
    for await (const _ of reader.summaries.pagesIn(range, { fields: ["view_count"] }));
  }),
  sorted: await (async () => {
    const posts = new PostQueries(documentClient({ config: clientOf(projected) }), "posts");
    const before = process.cpuUsage();
    await posts.page({ sort_by: "view_count", order: "desc", limit: 10 });
    const { user, system } = process.cpuUsage(before);
    return { cpuSeconds: (user + system) / 1_000_000, peakMb: process.resourceUsage().maxRSS / 1_000 };
  })(),
};
process.send?.(decoding, () => process.exit(0));
