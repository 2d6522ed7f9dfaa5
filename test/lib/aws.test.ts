import { connect, type Socket } from "node:net";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { requestClientConfig } from "../../lib/aws.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { startLoopback } from "../../local/loopback.ts";
import { connection } from "../support/database/database.ts";

/** A busy machine must not cause time-outs. */
const TIMEOUT_MS = 600_000;

/** The time-out of a call is over. */
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

  it("are reused", async () => {
    const connections = await openConnections();
    vi.setSystemTime(Date.now() + 20_000);
    for (let i = 0; i < 5; i += 1) await call();
    expect(connections).toContain(used[0]);
    expect(new Set(used).size).toBe(1);
  });

  it("are not reused after half a minute, in which a function may have been frozen", async () => {
    const connections = await openConnections();
    vi.setSystemTime(Date.now() + 30_000);
    for (let i = 0; i < 5; i += 1) await call();
    expect(connections).not.toContain(used[0]);
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
