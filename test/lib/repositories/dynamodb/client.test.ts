import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { requestClientConfig } from "../../../../lib/aws.ts";
import { documentClient } from "../../../../lib/repositories/dynamodb/client.ts";
import { connection } from "../../../support/database.ts";

/** A DynamoDB of which a test says how it takes a request; none is answered before. */
let answerTo: (response: ServerResponse, attempt: number) => void;
/** What it was sent, each attempt. */
let attempts: { readonly ClientRequestToken?: string }[];
let close: () => Promise<void>;
let endpoint: string;

beforeEach(async () => {
  attempts = [];
  answerTo = () => undefined;
  const server = createServer(async (request, response) => {
    attempts.push((await json(request)) as (typeof attempts)[number]);
    answerTo(response, attempts.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
});
afterEach(() => close());

/** The SDK's attempts, without its back-off. */
const atOnce = { retryStrategy: new ConfiguredRetryStrategy(requestClientConfig.maxAttempts, () => 0) };
/** The SDK's own attempts, with a tenth of every time-out. */
const impatient = {
  requestHandler: Object.fromEntries(
    Object.entries(requestClientConfig.requestHandler).map(([name, value]) => [
      name,
      typeof value === "number" ? value / 10 : value,
    ]),
  ),
};

/** The production client, which does not wait between attempts, and says how long it would between conflicts. */
function clientWith(random: () => number = () => 1, config: DynamoDBClientConfig = atOnce) {
  const slept: number[] = [];
  const client = documentClient({
    config: { ...connection(endpoint), ...config },
    random,
    sleep: async (milliseconds) => slept.push(milliseconds),
  });
  return { client, slept };
}

const get = new GetCommand({ TableName: "t", Key: { pk: "0" } });
const put = new PutCommand({ TableName: "t", Item: { pk: "0" } });
const transact = () => new TransactWriteCommand({ TransactItems: [{ Put: put.input }] });

const ok = (response: ServerResponse) => response.end("{}");
const failing =
  (name: string, status = 400, more: object = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status).end(JSON.stringify({ __type: `com.amazonaws.dynamodb#${name}`, ...more }));
const cancelled = (...codes: string[]) =>
  failing("TransactionCanceledException", 400, { CancellationReasons: codes.map((Code) => ({ Code })) });

/** Sends headers without end. */
function drip({ socket }: ServerResponse) {
  socket?.write("HTTP/1.1 200 OK\r\n");
  const timer = setInterval(() => socket?.write("x-drop: 1\r\n"), 20);
  socket?.once("close", () => clearInterval(timer));
}

const unavailable = { code: "ServiceUnavailable", headers: { "retry-after": "1" } };

describe("a call to DynamoDB", () => {
  it.each([
    ["is never answered", () => undefined],
    ["is answered drop by drop", drip],
    ["is answered in part", (response: ServerResponse) => response.writeHead(200).write('{"Item":')],
  ])("that %s is unavailable after three attempts", async (_, trouble) => {
    answerTo = trouble;

    await expect(clientWith(undefined, impatient).client.send(get)).rejects.toMatchObject(unavailable);
    expect(attempts).toHaveLength(3);
  });

  it.each([
    ["loses its connection", (response: ServerResponse) => response.destroy()],
    ["is throttled", failing("ProvisionedThroughputExceededException")],
    ["meets a server that broke down", failing("InternalServerError", 500)],
    ["meets an earlier attempt in progress", failing("TransactionInProgressException")],
  ])("that %s is unavailable after three attempts", async (_, trouble) => {
    answerTo = trouble;

    await expect(clientWith().client.send(get)).rejects.toMatchObject(unavailable);
    expect(attempts).toHaveLength(3);
  });

  it("is unavailable when nobody listens", async () => {
    await close();

    await expect(clientWith().client.send(get)).rejects.toMatchObject(unavailable);
    expect(attempts).toEqual([]);
  });

  it.each([
    ["a condition that does not hold", put, failing("ConditionalCheckFailedException")],
    ["a wrong request", put, failing("ValidationException")],
    ["a missing table", put, failing("ResourceNotFoundException")],
    ["a missing grant", put, failing("AccessDeniedException")],
    ["a transaction's condition", transact(), cancelled("None", "ConditionalCheckFailed")],
    ["that, beside a conflict", transact(), cancelled("TransactionConflict", "ConditionalCheckFailed")],
    ["a wrong transaction", transact(), cancelled("ValidationError")],
  ])("that fails for %s is not repeated, and fails with the SDK's error", async (_, command, trouble) => {
    answerTo = trouble;
    const { client, slept } = clientWith();

    await expect(client.send(command as PutCommand)).rejects.toMatchObject({
      name: expect.stringMatching(/Exception$/),
      $metadata: { httpStatusCode: 400, attempts: 1 },
    });
    expect(attempts).toHaveLength(1);
    expect(slept).toEqual([]);
  });
});

describe("a conflict with another transaction", () => {
  const conflicts = [
    ["of a single write", put, failing("TransactionConflictException")],
    ["of a transaction", transact(), cancelled("None", "TransactionConflict")],
  ] as const;

  it.each(conflicts)("%s is tried again until it is won", async (_, command, conflict) => {
    answerTo = (response, attempt) => (attempt <= 2 ? conflict(response) : ok(response));
    const { client, slept } = clientWith();

    await client.send(command as PutCommand);
    expect(attempts).toHaveLength(3);
    expect(slept).toEqual([20, 40]);
  });

  it.each(conflicts)(
    "%s is given up after eight attempts, ever further apart",
    async (_, command, conflict) => {
      answerTo = conflict;
      const { client, slept } = clientWith();

      await expect(client.send(command as PutCommand)).rejects.toMatchObject(unavailable);
      expect(attempts).toHaveLength(8);
      expect(slept).toEqual([20, 40, 80, 160, 320, 400, 400]);
    },
  );

  it("is waited for as chance says: up to the whole time, and anew each time", async () => {
    answerTo = cancelled("TransactionConflict");
    const chances = [0.5, 0.25, 0, 0.75, 0.125, 0.5, 1];
    const { client, slept } = clientWith(() => chances.shift() ?? Number.NaN);

    await expect(client.send(transact())).rejects.toMatchObject(unavailable);
    expect(slept).toEqual([10, 10, 0, 120, 40, 200, 400]);
  });

  it("repeats a transaction under one token, which no other transaction has", async () => {
    answerTo = cancelled("TransactionConflict");
    const { client } = clientWith();
    for (let i = 0; i < 2; i += 1) await expect(client.send(transact())).rejects.toMatchObject(unavailable);

    const tokens = attempts.map(({ ClientRequestToken: token }) => token);
    expect(new Set(tokens.slice(0, 8)).size).toBe(1);
    expect(new Set(tokens.slice(8)).size).toBe(1);
    expect(tokens[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(tokens[8]).not.toBe(tokens[0]);
  });

  it("leaves the token as it is when an attempt's answer does not come", async () => {
    answerTo = (response, attempt) => {
      if (attempt === 2) cancelled("TransactionConflict")(response);
      if (attempt === 3) ok(response);
    };
    await clientWith(undefined, impatient).client.send(transact());

    expect(attempts).toHaveLength(3);
    expect(new Set(attempts.map(({ ClientRequestToken: token }) => token)).size).toBe(1);
  });
});
