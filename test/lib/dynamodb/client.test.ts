import type { ServerResponse } from "node:http";
import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { requestClientConfig } from "../../../lib/aws.ts";
import { documentClient } from "../../../lib/dynamodb/client.ts";
import { startLoopback } from "../../../local/loopback.ts";
import { connection } from "../../support/database/database.ts";

/** Responds to a request as the test decides; by default never. */
let respond: (response: ServerResponse, attempt: number) => void;
/** The body of every attempt, also of those that the server did not see before the client gave up. */
let attempts: { readonly ClientRequestToken?: string }[];
let close: () => Promise<void>;
let endpoint: string;

beforeEach(async () => {
  attempts = [];
  respond = () => undefined;
  ({ url: endpoint, close } = await startLoopback((request, response) => {
    request.resume().on("end", () => respond(response, attempts.length));
  }));
});
afterEach(() => close());

/** The SDK's attempts without back-off and without timeouts. */
const withoutBackOff = {
  requestHandler: {},
  retryStrategy: new ConfiguredRetryStrategy(requestClientConfig.maxAttempts, () => 0),
};
/** With a fiftieth of every timeout. */
const shortTimeouts = {
  ...withoutBackOff,
  requestHandler: Object.fromEntries(
    Object.entries(requestClientConfig.requestHandler).map(([name, value]) => [
      name,
      typeof value === "number" ? value / 50 : value,
    ]),
  ),
};

/** The production client. Instead of waiting after conflicts it records the delays. */
function clientWith(random: () => number = () => 1, config: DynamoDBClientConfig = withoutBackOff) {
  const delays: number[] = [];
  const client = documentClient({
    config: { ...connection(endpoint), ...config },
    random,
    sleep: async (milliseconds) => delays.push(milliseconds),
  });
  client.middlewareStack.add(
    (next) => (args) => {
      attempts.push(JSON.parse(new TextDecoder().decode((args.request as { body: Uint8Array }).body)));
      return next(args);
    },
    // Within the SDK's retries.
    { step: "finalizeRequest", priority: "low" },
  );
  return { client, delays };
}

const get = new GetItemCommand({ TableName: "t", Key: { pk: { S: "0" } } });
const put = new PutItemCommand({ TableName: "t", Item: { pk: { S: "0" } } });
const transact = () => new TransactWriteItemsCommand({ TransactItems: [{ Put: put.input }] });

const ok = (response: ServerResponse) => response.end("{}");
const failing =
  (name: string, status = 400, more: object = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status).end(JSON.stringify({ __type: `com.amazonaws.dynamodb#${name}`, ...more }));
const cancelled = (...codes: string[]) =>
  failing("TransactionCanceledException", 400, { CancellationReasons: codes.map((Code) => ({ Code })) });

function drip({ socket }: ServerResponse) {
  socket?.write("HTTP/1.1 200 OK\r\n");
  const timer = setInterval(() => socket?.write("x-drop: 1\r\n"), 5);
  socket?.once("close", () => clearInterval(timer));
}

const unavailable = { code: "ServiceUnavailable", retryAfterSeconds: 1 };
const contended = { ...unavailable, retryAfterSeconds: expect.any(Number) };

it("does not copy responses for a log, as the SDK does", async () => {
  respond = ok;
  const logged: unknown[] = [];
  const log = (entry: unknown) => logged.push(entry);
  const logger = { debug: () => undefined, info: log, warn: log, error: log };
  const config = { ...connection(endpoint), logger };

  await documentClient({ config }).send(get);
  expect(logged).toEqual([]);
  await new DynamoDBClient(config).send(get);
  expect(logged).toMatchObject([{ commandName: "GetItemCommand", output: expect.anything() }]);
});

it("sends the input as JSON, with no headers but the necessary ones", async () => {
  vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "todos");
  vi.stubEnv("_X_AMZN_TRACE_ID", "Root=1-0-0");
  let headers: object = {};
  respond = (response) => {
    headers = response.req.headers;
    ok(response);
  };
  await clientWith().client.send(put);
  vi.unstubAllEnvs();

  expect(attempts).toEqual([put.input]);
  const names = Object.keys(headers).filter((name) => !/^(amz-sdk-|x-amz-|content-|connection$)/.test(name));
  expect(names.sort()).toEqual(["authorization", "host"]);
  expect(headers).not.toHaveProperty("x-amz-user-agent");
});

describe("a call to DynamoDB", () => {
  it.each([
    ["gets no response", () => undefined],
    ["gets a response byte by byte", drip],
    ["gets an incomplete response", (response: ServerResponse) => response.writeHead(200).write('{"Item":')],
  ])("that %s fails with ServiceUnavailable after three attempts", async (_, response) => {
    respond = response;
    await expect(clientWith(undefined, shortTimeouts).client.send(get)).rejects.toMatchObject(unavailable);
    expect(attempts).toHaveLength(3);
  });

  it.each([
    ["loses its connection", (response: ServerResponse) => response.destroy()],
    ["is throttled", failing("ProvisionedThroughputExceededException")],
    ["meets a server error", failing("InternalServerError", 500)],
    ["meets the error page of a proxy", (response: ServerResponse) => response.writeHead(502).end("<html>")],
    ["meets an earlier attempt in progress", failing("TransactionInProgressException")],
  ])("that %s fails with ServiceUnavailable after three attempts", async (_, response) => {
    respond = response;
    await expect(clientWith().client.send(get)).rejects.toMatchObject(unavailable);
    expect(attempts).toHaveLength(3);
  });

  it.each([
    ["a failed condition", put, failing("ConditionalCheckFailedException")],
    ["a missing grant", put, failing("AccessDeniedException")],
    [
      "a failed condition beside a conflict",
      transact(),
      cancelled("TransactionConflict", "ConditionalCheckFailed"),
    ],
    ["an invalid transaction", transact(), cancelled("ValidationError")],
  ])("that fails for %s is not retried, and fails with the SDK's error", async (_, command, response) => {
    respond = response;
    const { client, delays } = clientWith();

    await expect(client.send(command as PutItemCommand)).rejects.toMatchObject({
      name: expect.stringMatching(/Exception$/),
      $metadata: { httpStatusCode: 400, attempts: 1 },
    });
    expect(attempts).toHaveLength(1);
    expect(delays).toEqual([]);
  });
});

describe("a conflict with another transaction", () => {
  const conflicts = [
    ["of a single write", put, failing("TransactionConflictException")],
    ["of a transaction", transact(), cancelled("None", "TransactionConflict")],
  ] as const;

  const isTransaction = (command: object) => command instanceof TransactWriteItemsCommand;

  it.each(conflicts)("%s is retried until it succeeds", async (_, command, conflict) => {
    respond = (response, attempt) => (attempt <= 2 ? conflict(response) : ok(response));
    const { client, delays } = clientWith();

    await client.send(command as PutItemCommand);
    expect(attempts).toHaveLength(3);
    expect(delays).toEqual(isTransaction(command) ? [20, 40] : [15, 15]);
  });

  it.each(conflicts)("%s fails after some time", async (_, command, conflict) => {
    respond = conflict;
    const { client, delays } = clientWith();
    await expect(client.send(command as PutItemCommand)).rejects.toMatchObject(contended);
    // A transaction takes its place in a queue of others, a plain write needs a moment between two.
    const expected = isTransaction(command) ? [20, 40, 80, ...Array(10).fill(120)] : Array(399).fill(15);
    expect(delays).toEqual(expected);
    expect(attempts).toHaveLength(expected.length + 1);
  });

  it("waits a random part of each delay", async () => {
    respond = cancelled("TransactionConflict");
    const chances = [0.5, 0.25, 0, 0.75, 0.125, 0.5, 1];
    const { client, delays } = clientWith(() => chances.shift() ?? 0);
    await expect(client.send(transact())).rejects.toMatchObject(contended);
    expect(delays.slice(0, 7)).toEqual([10, 10, 0, 90, 15, 60, 120]);
  });

  it("retries a transaction with the same token, and uses another one for each transaction", async () => {
    respond = cancelled("TransactionConflict");
    const { client } = clientWith();
    for (let i = 0; i < 2; i += 1) await expect(client.send(transact())).rejects.toMatchObject(contended);

    const tokens = attempts.map(({ ClientRequestToken: token }) => token);
    expect(new Set(tokens.slice(0, 14)).size).toBe(1);
    expect(new Set(tokens.slice(14)).size).toBe(1);
    expect(tokens[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(tokens[14]).not.toBe(tokens[0]);
  });
});
