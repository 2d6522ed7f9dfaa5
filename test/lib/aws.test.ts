import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isThrottled, isUnavailable, requestClientConfig } from "../../lib/aws.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { startLoopback } from "../../local/loopback.ts";
import { connection } from "../support/database/database.ts";

/** A busy machine must not cause time-outs. */
const TIMEOUT_MS = 600_000;

function passTimeout(): void {
  const now = Date.now();
  vi.advanceTimersByTime(TIMEOUT_MS);
  // Otherwise the connections would be closed for their age.
  vi.setSystemTime(now);
}

describe("the connections to AWS", () => {
  const { httpsAgent, ...timeouts } = requestClientConfig.requestHandler;
  /** The connection of each attempt. */
  let used: Socket[];
  let respond: (attempt: number) => Promise<boolean> | boolean;
  let call: () => Promise<unknown>;
  let close: () => Promise<void>;

  beforeEach(async () => {
    used = [];
    respond = () => true;
    const server = await startLoopback(async (request, response) => {
      request.resume();
      if (await respond(used.push(request.socket))) response.end("{}");
    });
    close = server.close;
    // The production agent, without TLS.
    vi.spyOn(httpsAgent, "createConnection").mockImplementation((options) => connect(options as never));
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const patient = Object.fromEntries(Object.keys(timeouts).map((name) => [name, TIMEOUT_MS]));
    const client = documentClient({
      config: {
        ...connection(server.url.replace("http:", "https:")),
        requestHandler: { ...patient, httpsAgent },
        retryStrategy: new ConfiguredRetryStrategy(requestClientConfig.maxAttempts, () => 0),
      },
    });
    call = () => client.send(new GetCommand({ TableName: "t", Key: { pk: "0" } }));
  });
  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    await close();
  });

  /** Leaves idle connections behind, which were all needed at the same time. */
  async function openConnections(): Promise<ReadonlySet<Socket>> {
    const { promise: allAreOpen, resolve } = Promise.withResolvers<boolean>();
    respond = (attempt) => {
      if (attempt === 20) resolve(true);
      return allAreOpen;
    };
    await Promise.all(Array.from({ length: 20 }, call));
    const connections = new Set(used);
    expect(connections.size).toBe(20);
    used = [];
    respond = () => true;
    return connections;
  }

  it.each([
    [20, true],
    [30, false],
  ])("are reused after %i s, in which a function may have been frozen: %s", async (seconds, isReused) => {
    const connections = await openConnections();
    vi.setSystemTime(Date.now() + 1_000 * seconds);
    for (let i = 0; i < 5; i += 1) await call();
    expect(connections.has(used[0] as Socket)).toBe(isReused);
    expect(new Set(used).size).toBe(1);
  });

  it.each([
    ["reset", (socket?: Socket) => socket?.resetAndDestroy()],
    ["silent", passTimeout],
  ])("that are all dead (%s) cost one attempt", async (_, fail) => {
    const connections = await openConnections();
    respond = (attempt) => {
      const socket = used[attempt - 1];
      if (!connections.has(socket as Socket)) return true;
      fail(socket);
      return false;
    };

    for (let i = 0; i < 5; i += 1) await call();
    expect(used).toHaveLength(6);
  });
});

const directory = "node_modules/@smithy/core/dist-es/submodules/retry/service-error-classification";
const source = readFileSync(`${directory}/constants.js`, "utf8");
/** A list of the SDK's, which the package does not export. */
const listed = (name: string): string[] => {
  const [, list = ""] = new RegExp(`${name} = \\[([^\\]]+)\\]`).exec(source) ?? [];
  return [...list.matchAll(/"(\w+)"/g)].map(([, code = ""]) => code);
};
const named = (name: string) => Object.assign(new Error(name), { name });
const coded = (code: string) => Object.assign(new Error(`getaddrinfo ${code}`), { code });

const networkErrors = ["NODEJS_TIMEOUT_ERROR_CODES", "NODEJS_NETWORK_ERROR_CODES"].flatMap(listed).map(coded);
const throttlingErrors = listed("THROTTLING_ERROR_CODES").map(named);

describe("a call of AWS", () => {
  const repeated = [...networkErrors, ...throttlingErrors, ...listed("TRANSIENT_ERROR_CODES").map(named)];
  it.each(repeated)("that ends with %s, which the SDK tries again, was not available", (error) => {
    expect(isUnavailable(error)).toBe(true);
    expect(isUnavailable(new Error("failed", { cause: error }))).toBe(!throttlingErrors.includes(error));
  });

  const refusals = ["ValidationException", "AccessDeniedException", "ResourceNotFoundException"].map(named);

  it("is throttled by what the SDK calls so", () => {
    expect(throttlingErrors.length).toBeGreaterThan(10);
    expect(throttlingErrors.filter((error) => !isThrottled(error))).toEqual([]);
    expect([...networkErrors, ...refusals, "ThrottlingException"].filter(isThrottled)).toEqual([]);
  });

  it.each(refusals)("that ends with %s was", (error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});
