/** Responses of DynamoDB from memory, and what it takes to decode them. */
import { Readable } from "node:stream";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { HttpResponse } from "@smithy/core/protocols";

/** How many records a response has. */
export const RESPONSE_RECORDS = 1_000;
const POSTS = 1_000_000;
const QUERIES = 40;

const counter = Buffer.from(
  JSON.stringify({ Items: [{ pk: { S: "ids" }, sk: { N: "-1" }, last: { N: String(POSTS) } }] }),
);
const batch = Buffer.from(JSON.stringify({ Responses: { posts: [] } }));

/** A summary of a post as DynamoDB returns it, without the attributes that only writing needs. */
export function summaryOf(id: number) {
  return {
    pk: { S: "0" },
    sk: { N: String(id) },
    author_id: { N: "7" },
    title: { S: `A title of some words ${id}` },
    status: { S: "published" },
    tags: { L: [{ S: "news" }, { S: "typescript" }] },
    created_at: { S: "2026-01-01T00:00:00.000Z" },
    updated_at: { S: "2026-01-01T00:00:00.000Z" },
    view_count: { N: String((id * 7_919) % 10_007) },
  };
}

/** The response to a query. */
export function responseOf(itemOf: (id: number) => object): Buffer {
  const Items = Array.from({ length: RESPONSE_RECORDS }, (_, i) => itemOf(i + 1));
  const capacity = { TableName: "posts", CapacityUnits: 75 };
  return Buffer.from(
    JSON.stringify({
      Items,
      Count: RESPONSE_RECORDS,
      ScannedCount: RESPONSE_RECORDS,
      ConsumedCapacity: capacity,
    }),
  );
}

/** The settings of a client whose queries get a prepared response. */
export function clientOf(response: Buffer) {
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
      const content = isBatch ? batch : isCounter ? counter : response;
      // A stream of copies, as from a socket: the SDK changes what it gets.
      const body = Readable.from([Buffer.from(content)]);
      return { response: new HttpResponse({ statusCode: 200, headers: {}, body }) };
    },
  };
  const credentials = { accessKeyId: "bench", secretAccessKey: "bench" };
  return { region: "us-east-1", credentials, requestHandler: requestHandler as never };
}

/** A query that `@aws-sdk/lib-dynamodb` makes and decodes. */
export function sdkQuery(response: Buffer): () => Promise<unknown> {
  const sdk = DynamoDBDocumentClient.from(new DynamoDBClient(clientOf(response)));
  const query = new QueryCommand({ TableName: "posts", KeyConditionExpression: "pk = :pk" });
  return () => sdk.send(query);
}

/** Microseconds of CPU per record that a query takes. */
export async function microsPerRecord(query: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < QUERIES; i += 1) await query();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / QUERIES / RESPONSE_RECORDS;
}
