/** Measures what reading costs the function's CPU, without a database. Sends `Decoding` to the parent. */
import { Readable } from "node:stream";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { HttpResponse } from "@smithy/core/protocols";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { PostQueries } from "../../lib/repositories/posts/post-queries.ts";
import { PostReader } from "../../lib/repositories/posts/post-reader.ts";
import { median } from "../../ops/load/statistics.ts";

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

const BLOCK = 1_000;
const POSTS = 1_000_000;
const ROUNDS = 9;
const QUERIES = 40;

const whole = responseOf((id) => ({
  pk: { S: "0" },
  sk: { N: String(id) },
  author_id: { N: "7" },
  title: { S: `A title of some words ${id}` },
  status: { S: "published" },
  tags: { L: [{ S: "news" }, { S: "typescript" }] },
  created_at: { S: "2026-01-01T00:00:00.000Z" },
  updated_at: { S: "2026-01-01T00:00:00.000Z" },
  view_count: { N: String((id * 7_919) % 10_007) },
  version: { S: "00000000-0000-4000-8000-000000000000" },
  viewId: { S: "00000000-0000-4000-8000-000000000000" },
}));
const projected = responseOf((id) => ({
  sk: { N: String(id) },
  view_count: { N: String((id * 7_919) % 10_007) },
}));
const counter = Buffer.from(
  JSON.stringify({ Items: [{ pk: { S: "ids" }, sk: { N: "-1" }, last: { N: String(POSTS) } }] }),
);
const batch = Buffer.from(JSON.stringify({ Responses: { posts: [] } }));

function responseOf(itemOf: (id: number) => object): Buffer {
  const Items = Array.from({ length: BLOCK }, (_, i) => itemOf(i + 1));
  const capacity = { TableName: "posts", CapacityUnits: 75 };
  return Buffer.from(
    JSON.stringify({ Items, Count: BLOCK, ScannedCount: BLOCK, ConsumedCapacity: capacity }),
  );
}

/** A client whose calls get prepared responses. */
function clientOf(block: Buffer) {
  const requestHandler = {
    async handle({
      body: request,
      headers,
    }: {
      readonly body: unknown;
      readonly headers: Record<string, string>;
    }) {
      const isBatch = headers["x-amz-target"]?.endsWith("BatchGetItem");
      const isCounter = new TextDecoder().decode(request as Uint8Array).includes('{"S":"ids"}');
      const content = isBatch ? batch : isCounter ? counter : block;
      // A stream of copies, as from a socket: the SDK changes what it gets.
      const body = Readable.from([Buffer.from(content)]);
      return { response: new HttpResponse({ statusCode: 200, headers: {}, body }) };
    },
  };
  const credentials = { accessKeyId: "bench", secretAccessKey: "bench" };
  return { region: "us-east-1", credentials, requestHandler: requestHandler as never };
}

async function costsOf(block: Buffer, read: (reader: PostReader) => Promise<unknown>): Promise<Costs> {
  const sdk = DynamoDBDocumentClient.from(new DynamoDBClient(clientOf(block)));
  const query = new QueryCommand({ TableName: "posts", KeyConditionExpression: "pk = :pk" });
  const reader = new PostReader(documentClient({ config: clientOf(block) }), "posts");
  const ways = {
    parse: async () => void JSON.parse(block.toString()),
    sdk: () => sdk.send(query),
    repository: () => read(reader),
  };
  const rounds: Record<keyof typeof ways, number[]> = { parse: [], sdk: [], repository: [] };
  // Round by round, so that other load on the machine affects all ways alike.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [way, work] of Object.entries(ways) as [keyof typeof ways, () => Promise<unknown>][]) {
      const before = process.cpuUsage();
      for (let i = 0; i < QUERIES; i += 1) await work();
      const { user, system } = process.cpuUsage(before);
      // The first rounds compile the code.
      if (round >= 2) rounds[way].push((user + system) / QUERIES / BLOCK);
    }
  return { parse: median(rounds.parse), sdk: median(rounds.sdk), repository: median(rounds.repository) };
}

const range = { block: 0, from: 1, to: BLOCK };
const decoding: Decoding = {
  whole: await costsOf(whole, async (reader) => {
    for await (const _ of reader.summaryPagesIn(range, undefined, "ascending"));
  }),
  projected: await costsOf(projected, (reader) =>
    reader.visitSummariesIn(range, { attributes: ["sk", "view_count"] }, () => {}),
  ),
  sorted: await (async () => {
    const posts = new PostQueries(documentClient({ config: clientOf(projected) }), "posts");
    const before = process.cpuUsage();
    await posts.page({ sort_by: "view_count", order: "desc", limit: 10 });
    const { user, system } = process.cpuUsage(before);
    return { cpuSeconds: (user + system) / 1_000_000, peakMb: process.resourceUsage().maxRSS / 1_000 };
  })(),
};
process.send?.(decoding, () => process.exit(0));
