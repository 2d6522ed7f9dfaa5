import type { ServerResponse } from "node:http";
import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { requestClientConfig } from "../../../lib/aws.ts";
import { documentClient, Sha256 } from "../../../lib/dynamodb/client.ts";
import { tooManyConflicts } from "../../../lib/dynamodb/contention.ts";
import { startLoopback } from "../../../local/loopback.ts";
import { connection } from "../../support/database/database.ts";

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
const { connectionTimeout, requestTimeout, socketTimeout, ...others } = requestClientConfig.requestHandler;
const timeouts = Object.entries({ connectionTimeout, requestTimeout, socketTimeout });
const shortened = Object.fromEntries(timeouts.map(([name, milliseconds]) => [name, milliseconds / 50]));
const shortTimeouts = { ...withoutBackOff, requestHandler: { ...others, ...shortened } };

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
  it.each<[string, typeof respond, DynamoDBClientConfig?]>([
    ["gets no response", () => undefined, shortTimeouts],
    ["gets a response byte by byte", drip, shortTimeouts],
    ["gets an incomplete response", (response) => response.writeHead(200).write('{"Item":'), shortTimeouts],
    ["loses its connection", (response) => response.destroy()],
    ["is throttled", failing("ProvisionedThroughputExceededException")],
    ["meets a server error", failing("InternalServerError", 500)],
    ["meets the error page of a proxy", (response) => response.writeHead(502).end("<html>")],
    ["meets an earlier attempt in progress", failing("TransactionInProgressException")],
  ])("that %s fails with ServiceUnavailable after three attempts", async (_, response, config) => {
    respond = response;
    await expect(clientWith(undefined, config).client.send(get)).rejects.toMatchObject(unavailable);
    expect(attempts).toHaveLength(3);
  });

  it.each([
    ["a failed condition", put, failing("ConditionalCheckFailedException")],
    ["a missing grant", put, failing("AccessDeniedException")],
    ["one beside a conflict", transact(), cancelled("TransactionConflict", "ConditionalCheckFailed")],
    ["an invalid transaction", transact(), cancelled("ValidationError")],
  ])("that fails for %s is not retried, and fails with the SDK's error", async (_, command, response) => {
    respond = response;
    const { client, delays } = clientWith();
    const name = expect.stringMatching(/Exception$/);
    const error = { name, $metadata: { httpStatusCode: 400, attempts: 1 } };
    await expect(client.send(command as PutItemCommand)).rejects.toMatchObject(error);
    expect([attempts.length, delays]).toEqual([1, []]);
  });
});

describe("a conflict with another transaction", () => {
  // A transaction takes its place in a queue of others, a plain write needs a moment between two.
  const queue = [20, 40, 80, ...Array(10).fill(120)];
  it.each([
    ["of a single write", put, failing("TransactionConflictException"), Array(399).fill(15)],
    ["of a transaction", transact(), cancelled("None", "TransactionConflict"), queue],
  ])("%s is retried until it succeeds, or fails after some time", async (_, command, conflict, all) => {
    const { client, delays } = clientWith();
    respond = (response, attempt) => (attempt <= 2 ? conflict(response) : ok(response));
    await client.send(command as PutItemCommand);
    expect([attempts.length, delays.splice(0)]).toEqual([3, all.slice(0, 2)]);

    attempts = [];
    respond = conflict;
    await expect(client.send(command as PutItemCommand)).rejects.toMatchObject(contended);
    expect([attempts.length, delays]).toEqual([all.length + 1, all]);
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
    const [first, second] = new Set(tokens);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(tokens).toEqual([...Array(14).fill(first), ...Array(14).fill(second)]);
  });

  it("spreads clients over more seconds the more of them lose, and forgets that after ten seconds", () => {
    vi.useFakeTimers({ now: 0, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const losses = (count: number) =>
      Array.from({ length: count }, () => tooManyConflicts().retryAfterSeconds);
    expect(losses(1)).toEqual([1]);
    expect(new Set(losses(1_000)).size).toBe(30);
    vi.setSystemTime(20_000);
    expect(losses(1)).toEqual([1]);
  });
});

// No engine checks a signature, so that only AWS would notice a wrong one.
const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const hmac = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
it.each<[string, ConstructorParameters<typeof Sha256>, string[], string]>([
  ["hash (FIPS 180-2, example B.1)", [], ["ab", "c"], abc],
  ["HMAC (RFC 4231, test case 2)", ["Jefe"], ["what do ya want ", "for nothing?"], hmac],
  ["HMAC of a part of a buffer", [Buffer.from("\0Jefe").subarray(1)], ["what do ya want for nothing?"], hmac],
])("signatures have the right %s", async (_, key, parts, expected) => {
  const sha256 = new Sha256(...key);
  for (const part of parts) sha256.update(Buffer.from(part));
  expect(Buffer.from(await sha256.digest()).toString("hex")).toBe(expected);
});
